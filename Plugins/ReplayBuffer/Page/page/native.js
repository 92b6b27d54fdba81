// The browser's own HLS. Its time begins where it likes, and has no gaps: places are found by the clock where it tells the
// date of its time, else from the end of what can be sought.

class Native {
  constructor(video, timeline, failed) {
    Object.assign(this, { video, timeline });
    video.addEventListener('error', () => failed(`The picture stands: ${video.error?.message || 'HLS failed'}`));
    video.src = 'index.m3u8';
    video.load();
  }

  get time() {
    const { video, timeline } = this;
    const date = this.zero;
    if (date !== null) {
      const wall = date + video.currentTime * 1000;
      const segment = timeline.segments.findLast((one) => one.wall <= wall) ?? timeline.segments[0];
      return segment ? Math.min(segment.end, segment.start + Math.max(0, wall - segment.wall) / 1000) : 0;
    }
    let left = this.end - video.currentTime;
    for (const segment of [...timeline.segments].reverse()) {
      if (left <= segment.duration) return segment.start + segment.duration - Math.max(0, left);
      left -= segment.duration;
    }
    return timeline.oldest;
  }

  seek(time) {
    const { video, timeline } = this;
    const segment = timeline.segment(time);
    if (!segment || !video.seekable.length) return;
    const within = Math.max(0, time - segment.start);
    const date = this.zero;
    if (date !== null) {
      video.currentTime = (segment.wall - date) / 1000 + within;
      return;
    }
    const later = timeline.segments.filter((one) => one.number > segment.number).reduce((sum, one) => sum + one.duration, 0);
    video.currentTime = Math.max(video.seekable.start(0), this.end - later - segment.duration + within);
  }

  get end() { return this.video.seekable.length ? this.video.seekable.end(this.video.seekable.length - 1) : 0; }

  /// Milliseconds since 1970 of its time 0; Safari tells.
  get zero() {
    const date = this.video.getStartDate?.().getTime();
    return Number.isFinite(date) ? date : null;
  }

  tick() {}
}
