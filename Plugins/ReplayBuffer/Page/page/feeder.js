// Feeds segments to Media Source Extensions. Media time is the player's time: a place on the bar is a place in the film.

const Source = window.ManagedMediaSource ?? window.MediaSource;

class Feeder {
  /// Kept in front of the picture, and behind it, in seconds.
  static ahead = 10;
  static behind = 30;

  constructor(video, timeline, failed) {
    Object.assign(this, { video, timeline, failed, done: new Set(), format: null, buffer: null, busy: false, round: 0 });
    video.addEventListener('seeking', () => this.sought());
    video.addEventListener('loadedmetadata', () => this.settle());
  }

  static canPlay(type) { return Boolean(Source?.isTypeSupported(type)); }

  get time() { return this.pending ?? this.video.currentTime; }

  /// Goes there, from wherever it is.
  seek(time) {
    if (this.video.readyState > 0 && this.buffer) {
      this.video.currentTime = time;
      return;
    }
    // Before there is anything of the film it has no places.
    this.pending = time;
    if (!this.source) this.open();
  }

  /// What can be sought is more than what has been fetched.
  allow() {
    const { oldest, newest } = this.timeline;
    if (this.source?.readyState === 'open' && newest > oldest) this.source.setLiveSeekableRange(oldest, newest);
  }

  settle() {
    if (this.pending === undefined) return;
    this.video.currentTime = this.pending;
    this.pending = undefined;
  }

  /// Everything anew: at first, and where there are other tracks than before.
  open() {
    this.close();
    const round = ++this.round;
    const source = new Source();
    const address = URL.createObjectURL(source);
    Object.assign(this, { source, address });
    source.addEventListener('sourceopen', () => {
      if (round !== this.round || this.buffer) return;
      URL.revokeObjectURL(address);
      const segment = this.timeline.segment(this.pending ?? 0) ?? this.timeline.segments.at(-1);
      const type = this.timeline.formats.get(segment?.format);
      if (!type) return;
      try {
        this.buffer = source.addSourceBuffer(type);
        this.type = type;
        source.duration = Infinity;
        this.allow();
      } catch {
        this.failed(`This browser cannot decode ${type}.`);
        return;
      }
      this.pump();
    });
    this.video.src = address;
  }

  close() {
    this.round += 1;
    this.fetching?.abort();
    Object.assign(this, { source: null, buffer: null, format: null, busy: false, fetching: null });
    this.done.clear();
  }

  sought() {
    if (this.isBuffered(this.video.currentTime)) return;
    // The browser may have thrown away what was there.
    this.done.clear();
    this.fetching?.abort();
    this.pump();
  }

  range(time) {
    const ranges = this.video.buffered;
    for (let n = 0; n < ranges.length; n += 1) {
      if (time >= ranges.start(n) - 0.05 && time < ranges.end(n)) return { start: ranges.start(n), end: ranges.end(n) };
    }
    return null;
  }

  isBuffered(time) { return this.range(time) !== null; }

  /// Several times a second.
  tick() {
    this.allow();
    if (!this.buffer || this.pending !== undefined) {
      this.pump();
      return;
    }
    const { video, timeline } = this;
    if (video.currentTime < timeline.oldest - 0.5 && timeline.segments.length) this.seek(timeline.oldest + 0.05);
    else this.jump();
    this.pump();
  }

  /// Where nothing came there is nothing to wait for.
  jump() {
    const time = this.video.currentTime;
    if (this.isBuffered(time) || this.video.seeking && this.busy) return;
    const segment = this.timeline.segment(time);
    if (segment && !this.done.has(segment.number)) return;
    const ranges = this.video.buffered;
    for (let n = 0; n < ranges.length; n += 1) {
      if (ranges.start(n) > time) {
        this.video.currentTime = ranges.start(n) + 0.001;
        return;
      }
    }
  }

  /// The next segment that is wanted; undefined where there is enough, or no more.
  wanted() {
    const { time } = this;
    let end = this.range(time)?.end ?? time;
    while (end < time + Feeder.ahead * Math.max(1, this.video.playbackRate)) {
      const segment = this.timeline.segment(end + 0.01);
      if (!segment) return undefined;
      if (!this.done.has(segment.number)) return segment;
      end = segment.end;
    }
    return undefined;
  }

  async pump() {
    if (this.busy || !this.buffer) return;
    const round = this.round;
    this.busy = true;
    try {
      for (let segment = this.wanted(); segment && round === this.round; segment = this.wanted()) {
        if (!await this.add(segment, round)) break;
      }
    } catch (error) {
      if (round === this.round && error.name !== 'AbortError') this.failed(`The picture stands: ${error.message}`);
    } finally {
      if (round === this.round) this.busy = false;
    }
  }

  /// False where it is to be tried again later.
  async add(segment, round) {
    if (segment.format !== this.format && !await this.change(segment, round)) return false;
    const bytes = await this.load(segment.address, round);
    if (round !== this.round) return false;
    // It has left the window: what follows is there.
    if (bytes) {
      await this.trim();
      await this.append(bytes);
    }
    this.done.add(segment.number);
    return true;
  }

  async change(segment, round) {
    const type = this.timeline.formats.get(segment.format);
    if (!type) return false;
    const tracks = (name) => name.split(',').length;
    if (tracks(type) !== tracks(this.type)) {
      this.pending = Math.max(this.video.currentTime, segment.start);
      const isPaused = this.video.paused;
      this.open();
      if (!isPaused) this.video.play().catch(() => {});
      return false;
    }
    const bytes = await this.load(segment.format, round);
    if (!bytes || round !== this.round) return false;
    if (type !== this.type) this.buffer.changeType(type);
    await this.append(bytes);
    Object.assign(this, { format: segment.format, type });
    return true;
  }

  /// Nil where it is not there any more.
  async load(address) {
    this.fetching = new AbortController();
    const answer = await fetch(address, { signal: this.fetching.signal, cache: 'no-store' });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(problem(answer, await answer.text()));
    return answer.arrayBuffer();
  }

  append(bytes) { return this.work((buffer) => buffer.appendBuffer(bytes)); }

  async trim() {
    const end = this.time - Feeder.behind;
    const ranges = this.video.buffered;
    if (!ranges.length || ranges.start(0) >= end - 5) return;
    for (const segment of this.timeline.segments) if (segment.end <= end) this.done.delete(segment.number);
    await this.work((buffer) => buffer.remove(0, end));
  }

  work(action) {
    const buffer = this.buffer;
    return new Promise((resolve, reject) => {
      const finish = (event) => {
        buffer.removeEventListener('updateend', finish);
        buffer.removeEventListener('error', finish);
        if (event.type === 'error') reject(new Error(this.video.error?.message || 'the browser refuses a segment'));
        else resolve();
      };
      buffer.addEventListener('updateend', finish);
      buffer.addEventListener('error', finish);
      try { action(buffer); } catch (error) {
        buffer.removeEventListener('updateend', finish);
        buffer.removeEventListener('error', finish);
        reject(error);
      }
    });
  }
}
