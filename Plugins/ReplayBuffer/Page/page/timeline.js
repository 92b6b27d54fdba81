'use strict';

const $ = (id) => document.getElementById(id);

// What the host has. Times are seconds of media time; addresses are relative, so that a signed one stays signed.

class Timeline {
  constructor() { this.clear(); }

  clear() {
    Object.assign(this, {
      segments: [], formats: new Map(), gaps: [], markers: [], oldest: 0, newest: 0, next: 0, held: false, edge: null, awaited: '',
    });
  }

  /// Asks for what has come since; says whether all is new, because the host began anew.
  async refresh() {
    const last = this.segments.at(-1)?.number ?? -1;
    const answer = await fetch(`timeline.json?after=${last}`, { cache: 'no-store' });
    const text = await answer.text();
    if (!answer.ok) throw Object.assign(new Error(problem(answer, text)), { status: answer.status });
    const said = JSON.parse(text);
    const isNew = said.next < this.next;
    if (isNew) {
      this.clear();
      return (await this.refresh(), true);
    }
    const seconds = (ns) => ns / 1e9;
    for (const format of said.formats) this.formats.set(format.name, format.type);
    this.segments = this.segments.filter((segment) => segment.number >= said.first).concat(said.segments.map((one) => ({
      number: one.number, start: seconds(one.start), end: seconds(one.end), duration: seconds(one.duration),
      wall: one.realtime / 1e6, format: one.format, address: `segment-${one.number}.m4s`,
    })));
    this.gaps = said.gaps.map((gap) => ({ from: seconds(gap.from), to: seconds(gap.to) }));
    this.markers = said.markers.map((marker) => ({ id: marker.id, name: marker.name, time: seconds(marker.time) }));
    Object.assign(this, {
      oldest: seconds(said.oldest), newest: seconds(said.newest), next: said.next, held: said.held, awaited: said.awaited ?? '',
      edge: { time: seconds(said.now ?? said.newest), asked: performance.now() },
    });
    return false;
  }

  /// The live edge: it goes on by itself until the host says that it does not.
  get now() {
    if (!this.edge) return this.newest;
    const passed = this.held ? 0 : Math.min(3, (performance.now() - this.edge.asked) / 1000);
    return Math.max(this.newest, this.edge.time + passed);
  }

  /// As far behind the live edge as a player needs to be: segments come whole.
  get latest() {
    const longest = Math.max(0.5, ...this.segments.slice(-5).map((segment) => segment.duration));
    return Math.max(this.oldest, this.newest - Math.min(2 * longest, (this.newest - this.oldest) / 2));
  }

  /// The segment of a place, or the next one behind it.
  segment(time) {
    const all = this.segments;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].end > time) high = middle; else low = middle + 1;
    }
    return all[low];
  }

  /// What the clock showed when that came, in milliseconds since 1970.
  wall(time) {
    const segment = this.segment(time);
    return segment && time >= segment.start ? segment.wall + (time - segment.start) * 1000 : null;
  }

  clamp(time) { return Math.min(Math.max(time, this.oldest), Math.max(this.oldest, this.newest - 0.05)); }
}

function problem(answer, text) {
  try { return JSON.parse(text).detail ?? text; } catch { return `${answer.status} ${answer.statusText}`; }
}
