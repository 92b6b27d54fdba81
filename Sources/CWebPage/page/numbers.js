// The host's numbers: samples of /metrics, and the lines that are drawn of them.

function parseMetrics(text) {
  const sample = { time: performance.now() / 1000, cpu: null, memory: null, started: null, pipelines: new Map() };
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const brace = line.indexOf('{');
    const end = line.lastIndexOf('}');
    const name = line.slice(0, brace < 0 ? line.indexOf(' ') : brace);
    const value = Number(line.slice((brace < 0 ? name.length : end + 1)).trim().split(' ')[0]);
    if (name === 'process_cpu_seconds_total') sample.cpu = value;
    else if (name === 'process_resident_memory_bytes') sample.memory = value;
    else if (name === 'mediahost_start_time_seconds') sample.started = value;
    if (!name.startsWith('mediahost_pipeline_') || brace < 0) continue;
    const labels = parseLabels(line.slice(brace + 1, end));
    let numbers = sample.pipelines.get(labels.pipeline);
    if (!numbers) sample.pipelines.set(labels.pipeline, numbers = { places: new Map(), dropped: 0 });
    const spot = () => {
      let found = numbers.places.get(labels.place);
      if (!found) numbers.places.set(labels.place, found = { buffers: 0, bytes: 0 });
      return found;
    };
    switch (name.slice(19)) {
      case 'buffers_total': spot().buffers = value; break;
      case 'bytes_total': spot().bytes = value; break;
      case 'cpu_seconds_total': numbers.cpu = value; break;
      case 'latency_seconds': numbers.latency = value; break;
      case 'dropped_total': numbers.dropped += value; break;
      default: break;
    }
  }
  return sample;
}

function parseLabels(text) {
  const labels = {};
  const pattern = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;
  for (const [, key, value] of text.matchAll(pattern)) {
    labels[key] = value.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));
  }
  return labels;
}

/// What changes in a second, over the last samples.
class Numbers {
  static most = 60;

  constructor() { this.clear(); }

  clear() {
    this.sample = null;
    this.cpu = null;
    this.pipelines = new Map(); // name -> { cpu, latency, dropped, places: Map(name -> { frames: [], bits: [] }) }
  }

  feed(text) {
    const now = parseMetrics(text);
    const before = this.sample;
    // Of two that are close together the rate is mostly of when they came.
    if (before !== null && now.time - before.time < 1) return;
    this.sample = now;
    // A host that began anew counts anew.
    const isSame = before !== null && before.started !== null && Math.abs(before.started - now.started) < 60
      && now.cpu >= before.cpu;
    const seconds = isSame ? now.time - before.time : 0;
    const rate = (value, past) => (seconds > 0 && past !== undefined && value >= past ? (value - past) / seconds : null);
    this.cpu = isSame ? rate(now.cpu, before.cpu) : null;
    for (const name of this.pipelines.keys()) if (!now.pipelines.has(name)) this.pipelines.delete(name);
    for (const [name, numbers] of now.pipelines) {
      const past = isSame ? before.pipelines.get(name) : undefined;
      let known = this.pipelines.get(name);
      if (!known) this.pipelines.set(name, known = { places: new Map() });
      known.cpu = rate(numbers.cpu, past?.cpu);
      known.latency = numbers.latency ?? null;
      known.dropped = numbers.dropped;
      for (const spot of known.places.keys()) if (!numbers.places.has(spot)) known.places.delete(spot);
      for (const [spot, flow] of numbers.places) {
        let lines = known.places.get(spot);
        if (!lines) known.places.set(spot, lines = { frames: [], bits: [] });
        const old = past?.places.get(spot);
        push(lines.frames, rate(flow.buffers, old?.buffers));
        const bytes = rate(flow.bytes, old?.bytes);
        push(lines.bits, bytes === null ? null : bytes * 8);
      }
    }
  }

  places(pipeline) { return [...(this.pipelines.get(pipeline)?.places ?? [])]; }
}

function push(line, value) {
  line.push(value);
  if (line.length > Numbers.most) line.shift();
}

/// A number with its unit, and the line of its last two minutes.
class Spark {
  constructor(label) {
    this.number = h('b', {}, '–');
    this.unit = h('span', { class: 'unit' }, '');
    this.area = svg('polygon', { class: 'area' });
    this.line = svg('polyline', { class: 'line', 'vector-effect': 'non-scaling-stroke' });
    this.element = h('div', { class: 'spark' },
      h('div', { class: 'figure' }, this.number, ' ', this.unit, h('span', { class: 'label' }, label)),
      svg('svg', { viewBox: '0 0 120 32', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, this.area, this.line));
    this.label = this.element.querySelector('.label');
  }

  show([number, unit], values) {
    setText(this.number, number);
    setText(this.unit, unit);
    const top = Math.max(...values.filter((value) => value !== null), 0) * 1.15 || 1;
    const step = 120 / (Numbers.most - 1);
    const first = Numbers.most - values.length;
    const points = values.map((value, index) => [value, (first + index) * step])
      .filter(([value]) => value !== null)
      .map(([value, x]) => `${x.toFixed(1)},${(31 - 29 * value / top).toFixed(1)}`);
    this.line.setAttribute('points', points.join(' '));
    const start = points[0]?.split(',')[0];
    this.area.setAttribute('points', points.length > 1 ? `${start},32 ${points.join(' ')} 120,32` : '');
  }
}

function frames(values) {
  const last = values.at(-1) ?? null;
  return [last === null ? '–' : last.toFixed(last >= 99.95 ? 0 : 1), '/s'];
}
