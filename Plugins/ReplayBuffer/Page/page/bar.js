// The scrub bar: from the oldest segment to the live edge.

class Bar {
  constructor(timeline, seek) {
    Object.assign(this, { timeline, seek, drawn: '' });
    const scrub = $('scrub');
    scrub.addEventListener('pointerdown', (event) => {
      if (event.target.closest('button') || event.button > 0) return;
      scrub.setPointerCapture(event.pointerId);
      this.held = true;
      this.moved(event);
    });
    scrub.addEventListener('pointermove', (event) => { if (this.held) this.moved(event); });
    for (const end of ['pointerup', 'pointercancel']) {
      scrub.addEventListener(end, () => {
        if (!this.held) return;
        this.held = false;
        this.seek(this.target, true);
        this.target = undefined;
      });
    }
  }

  get from() { return this.timeline.oldest; }
  get to() { return Math.max(this.timeline.now, this.from + 0.001); }
  share(time) { return Math.min(1, Math.max(0, (time - this.from) / (this.to - this.from))) * 100; }

  moved(event) {
    const box = $('track').getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    this.target = this.timeline.clamp(this.from + share * (this.to - this.from));
    this.seek(this.target, false);
  }

  /// What nothing came in: between segments, and within them.
  holes() {
    const holes = this.timeline.gaps.map((gap) => [gap.from, gap.to]);
    const all = this.timeline.segments;
    all.forEach((segment, place) => {
      const before = all[place - 1];
      if (before && segment.start - before.end > 0.05) holes.push([before.end, segment.start]);
    });
    return holes;
  }

  /// - Parameter place: of the picture.
  draw(place) {
    const { timeline } = this;
    const parts = [];
    const add = (kind, from, to) => {
      if (to <= this.from || to <= from) return;
      const part = document.createElement('div');
      part.className = kind;
      part.style.left = `${this.share(from)}%`;
      part.style.width = `${Math.max(0.3, this.share(to) - this.share(from))}%`;
      parts.push(part);
    };
    timeline.segments.forEach((segment, at) => {
      const before = timeline.segments[at - 1];
      if (before && before.format !== segment.format) add('part', segment.start, segment.end);
    });
    for (const [from, to] of this.holes()) add('gap', from, to);
    add('coming', timeline.newest, this.to);
    $('track').replaceChildren(...parts);
    this.drawMarkers();
    const knob = $('knob');
    knob.hidden = timeline.segments.length === 0;
    knob.style.left = `${this.share(this.target ?? place)}%`;
    const scrub = $('scrub');
    scrub.setAttribute('aria-valuemax', String(Math.round(this.to - this.from)));
    scrub.setAttribute('aria-valuenow', String(Math.round((this.target ?? place) - this.from)));
    scrub.setAttribute('aria-valuetext', `${spell(this.to - (this.target ?? place))} behind`);
  }

  drawMarkers() {
    const { markers } = this.timeline;
    const known = JSON.stringify(markers);
    if (known !== this.drawn) {
      this.drawn = known;
      const make = (marker, text) => {
        const one = document.createElement('button');
        one.type = 'button';
        one.textContent = text;
        one.title = marker.name;
        one.setAttribute('aria-label', `Go to marker ${marker.name}`);
        one.dataset.time = String(marker.time);
        one.addEventListener('click', () => this.seek(marker.time, true));
        return one;
      };
      $('markers').replaceChildren(...markers.map((marker) => {
        const tick = make(marker, '▼');
        tick.className = 'marker';
        return tick;
      }));
      $('list').replaceChildren(...markers.map((marker) => {
        const item = document.createElement('li');
        item.append(make(marker, `▼ ${marker.name}`));
        return item;
      }));
    }
    for (const tick of $('markers').children) tick.style.left = `${this.share(Number(tick.dataset.time))}%`;
  }
}

function spell(seconds) {
  const s = Math.max(0, seconds);
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 60) return `${Math.floor(s)} s`;
  const two = (number) => String(Math.floor(number)).padStart(2, '0');
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)} min`
    : `${Math.floor(s / 3600)}:${two(s % 3600 / 60)}:${two(s % 60)} h`;
}
