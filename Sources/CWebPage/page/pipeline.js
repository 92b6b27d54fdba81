// Everything of one pipeline.

class PipelineView {
  constructor(name) {
    this.name = name;
    this.title = name;
    this.row = null;
    this.path = (...rest) => place('v1', 'pipelines', name, ...rest);
    this.picture = new Picture(name, 2, 1280);
    this.pad = h('select', { 'aria-label': 'Picture of', hidden: true, onchange: () => this.picture.of(this.pad.value) });
    this.chip = chip();
    this.reason = h('p', { class: 'reason' }, 'Asking the host…');
    this.trouble = h('p', { class: 'trouble', hidden: true });
    this.facts = h('dl', { class: 'facts' });
    this.controls = h('div', { class: 'buttons', role: 'group', 'aria-label': 'Controls' });
    this.player = h('div', { class: 'player', hidden: true });
    this.flows = h('div', { class: 'flows' });
    this.sparks = new Map();
    this.settable = h('div', { class: 'settings' });
    this.keep = checkbox('Also after a restart');
    this.fields = new Map();
    this.graph = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Graph' });
    this.launch = h('pre', { class: 'launch' });
    this.makeControls();
    const panel = (title, ...children) => h('section', { class: 'panel' }, h('h2', {}, title), ...children);
    this.element = h('div', { class: 'details' },
      h('p', { class: 'back' }, h('a', { href: '#/' }, '‹ All pipelines')),
      h('div', { class: 'head' }, h('h1', {}, name), this.chip),
      this.reason, this.trouble,
      h('div', { class: 'two' },
        h('div', {}, this.picture.element, this.pad, this.controls, this.player),
        h('div', {}, panel('Now', this.facts), panel('Flow', this.flows))),
      this.settings = panel('Settings', this.settable, this.keep.element),
      h('section', { class: 'panel' },
        h('div', { class: 'line' }, h('h2', {}, 'Graph'), button('Redraw', () => this.loadGraph())), this.graph),
      panel('Launch text', this.launch));
    this.loop = new Loop(5, () => this.load());
    this.metrics = new Loop(2, () => app.loadNumbers());
    this.positions = new Loop(1, () => this.loadPosition());
  }

  open() {
    this.loop.start();
    this.metrics.start();
    this.positions.start();
  }

  close() {
    for (const loop of [this.loop, this.metrics, this.positions]) loop.stop();
    this.picture.remove();
  }

  makeControls() {
    const verb = (label, word) => {
      const made = button(label, () => this.perform(made, word));
      return made;
    };
    this.start = verb('Start', 'start');
    this.start.classList.add('primary');
    this.stop = verb('Stop', 'stop');
    this.restart = verb('Restart', 'restart');
    this.play = verb('Play', 'play');
    this.pause = verb('Pause', 'pause');
    this.rate = h('select', { 'aria-label': 'Speed', onchange: () => this.perform(this.rate, 'rate', { rate: Number(this.rate.value) }) },
      ['0.25', '0.5', '1', '1.5', '2', '4'].map((rate) => h('option', { value: rate, selected: rate === '1' }, `${rate} ×`)));
    this.mode = h('select', { 'aria-label': 'Picture and sound', onchange: () => this.perform(this.mode, 'mode', { mode: this.mode.value }) },
      h('option', { value: 'video' }, 'With pictures'), h('option', { value: 'audio' }, 'Sound only'));
    this.controls.append(this.start, this.stop, this.restart, this.play, this.pause, this.mode, this.rate);
    this.slider = h('input', {
      type: 'range', min: 0, max: 1000, value: 0, 'aria-label': 'Position',
      onchange: () => this.perform(this.slider, 'seek', { position: Math.round(this.duration * this.slider.value / 1000) }),
    });
    this.position = h('span', { class: 'time' });
    this.player.append(this.slider, this.position);
  }

  async perform(control, verb, body) {
    await act(control, () => tell(this.path(verb), body));
    await act(control, () => this.load());
  }

  async load() {
    try {
      this.show(await ask(this.path()));
    } catch (error) {
      if (error.status !== 404) throw error;
      this.loop.stop();
      setText(this.reason, error.message);
    }
  }

  /// The host's events are about it.
  showPipelines(rows) {
    const row = rows.find((each) => each.name === this.name);
    if (row && row.state !== this.row?.state) this.load().catch(() => {});
  }

  show(row) {
    const before = this.row;
    this.row = row;
    this.duration = row.duration_ns ?? 0;
    showChip(this.chip, row.state, row.health);
    this.picture.follow(row.state, row.mode);
    setText(this.reason, sentence(row.reason.text));
    const failed = ['failed', 'recovering', 'stalled', 'degraded'].includes(row.state) && row.error;
    this.trouble.hidden = !failed;
    this.reason.hidden = Boolean(failed);
    if (failed) setText(this.trouble, [row.error.element, row.error.message].filter(Boolean).join(': '));
    const stopped = startable.includes(row.state);
    this.start.hidden = !stopped;
    for (const control of [this.stop, this.restart]) control.hidden = stopped;
    this.play.hidden = row.state !== 'paused';
    this.pause.hidden = !['playing', 'degraded', 'buffering'].includes(row.state);
    this.rate.hidden = stopped || row.seekable !== true;
    this.mode.hidden = stopped;
    if (document.activeElement !== this.mode) this.mode.value = row.next_mode ?? row.mode;
    if (document.activeElement !== this.rate && row.rate) this.rate.value = String(row.rate);
    this.player.hidden = stopped || row.seekable !== true || this.duration <= 0;
    this.showPosition(row.position_ns);
    this.showFacts();
    this.showSettings(row.settable ?? []);
    setText(this.launch, row.launch ?? '');
    if (before?.state !== row.state) this.loadGraph();
  }

  showFacts() {
    const { row } = this;
    const numbers = app.numbers.pipelines.get(this.name) ?? {};
    const share = numbers.cpu === null || numbers.cpu === undefined ? '–' : `${(numbers.cpu * 100).toFixed(1)} %`;
    const facts = [
      ['State', `${row.state} for ${spell(row.since_ns / 1e9)}`],
      ['Position', clock(row.position_ns)],
      ['Restarts', String(row.restarts)],
      ['CPU', share],
      ['Latency', numbers.latency ? `${(numbers.latency * 1000).toFixed(1)} ms` : '–'],
      ['Dropped', numbers.dropped === undefined ? '–' : String(numbers.dropped)],
    ];
    if (this.facts.children.length === 0) {
      this.facts.append(...facts.map(([key]) => h('div', {}, h('dt', {}, key), h('dd', {}))));
    }
    facts.forEach(([, value], index) => setText(this.facts.children[index].lastChild, value));
  }

  showPosition(position) {
    if (this.player.hidden || document.activeElement === this.slider) return;
    this.slider.value = this.duration > 0 ? Math.round(1000 * (position ?? 0) / this.duration) : 0;
    this.slider.setAttribute('aria-valuetext', clock(position));
    setText(this.position, `${clock(position)} / ${clock(this.duration)}`);
  }

  async loadPosition() {
    if (this.player.hidden || this.row?.state !== 'playing') return;
    const playback = await ask(this.path('position'));
    this.duration = playback.duration_ns ?? this.duration;
    this.row.position_ns = playback.position_ns;
    this.showPosition(playback.position_ns);
    this.showFacts();
  }

  showNumbers() {
    const places = app.numbers.places(this.name);
    for (const [spot, lines] of places) {
      let pair = this.sparks.get(spot);
      if (!pair) {
        pair = { frames: new Spark('frames'), bits: new Spark('data') };
        pair.element = h('div', { class: 'flow' }, h('h3', {}, spot), h('div', { class: 'sparks' }, pair.frames.element, pair.bits.element));
        this.sparks.set(spot, pair);
        this.flows.append(pair.element);
      }
      pair.frames.show(frames(lines.frames), lines.frames);
      pair.bits.show(bits(lines.bits.at(-1) ?? null), lines.bits);
    }
    for (const [spot, pair] of this.sparks) {
      if (places.some(([name]) => name === spot)) continue;
      pair.element.remove();
      this.sparks.delete(spot);
    }
    if (this.row) this.showFacts();
  }

  showSettings(settable) {
    this.settings.hidden = settable.length === 0;
    for (const { property, value } of settable) {
      let field = this.fields.get(property);
      if (!field) this.fields.set(property, field = this.makeSetting(property, value));
      // What somebody is writing stays.
      if (!field.isChanged() && document.activeElement !== field.input) {
        field.input.value = field.known = value ?? '';
        field.input.disabled = field.set.disabled = value === null;
      }
    }
  }

  makeSetting(property, value) {
    const id = `set-${property}`;
    const field = { known: value ?? '' };
    field.input = ['true', 'false'].includes(value)
      ? h('select', { id }, h('option', {}, 'true'), h('option', {}, 'false'))
      : h('input', { id, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    field.input.value = field.known;
    field.isChanged = () => field.input.value !== field.known;
    field.set = h('button', { type: 'submit' }, 'Set');
    const form = h('form', { class: 'setting', onsubmit: (event) => {
      event.preventDefault();
      act(field.set, async () => {
        const isKept = this.keep.input.checked;
        const answer = await tell(this.path('properties', property), { value: field.input.value, save: isKept });
        field.input.value = field.known = answer.value ?? field.input.value;
        notify(`${property} is ${field.known}${kept(answer, isKept)}`);
      });
    } }, h('label', { for: id }, property), field.input, field.set);
    this.settable.append(form);
    return field;
  }

  /// The pads whose pictures can be looked at: what leaves an element, where there is more than one of them.
  showPads(graph) {
    const pads = graph.elements.filter((element) => !element.bin).flatMap((element) => element.pads
      .filter((pad) => pad.direction === 'src' && /^(video|image)\//.test(pad.caps ?? ''))
      .map((pad) => [`${element.name}.${pad.name}`, shorten(pad.caps).join(' ')]));
    this.pad.hidden = pads.length < 2;
    const chosen = this.pad.value;
    this.pad.replaceChildren(h('option', { value: '' }, 'What it shows'),
      ...pads.map(([pad, words]) => h('option', { value: pad, selected: pad === chosen }, `${pad}: ${words}`)));
    this.picture.of(this.pad.value);
  }

  async loadGraph() {
    if (startable.includes(this.row?.state)) {
      return this.graph.replaceChildren(h('p', { class: 'empty' }, 'It is not built while it does not run.'));
    }
    try {
      const graph = await ask(`${this.path('graph')}?format=json`);
      this.showPads(graph);
      this.graph.replaceChildren(drawGraph(graph));
    } catch (error) {
      this.graph.replaceChildren(h('p', { class: 'empty' }, error.message));
    }
    return undefined;
  }
}
