// All pipelines at a glance.

const startable = ['stopped', 'failed', 'finished'];

function chip() { return h('span', { class: 'chip' }); }

function showChip(element, text, health) {
  setText(element, text);
  element.className = `chip ${health}`;
}

class Card {
  constructor(row) {
    this.name = row.name;
    const link = `#/pipelines/${encodeURIComponent(row.name)}`;
    this.picture = new Picture(row.name, 4, 640);
    this.chip = chip();
    this.reason = h('p', { class: 'reason' });
    this.frames = new Spark('frames');
    this.bits = new Spark('data');
    this.toggle = button('Stop', () => act(this.toggle, async () => {
      await tell(place('v1', 'pipelines', this.name, this.toggle.dataset.verb));
      await app.loadPipelines();
    }));
    this.restart = button('Restart', () => act(this.restart, async () => {
      await tell(place('v1', 'pipelines', this.name, 'restart'));
      await app.loadPipelines();
    }));
    this.element = h('article', { class: 'card', 'aria-label': row.name },
      h('a', { href: link, tabindex: -1, 'aria-hidden': 'true' }, this.picture.element),
      h('div', { class: 'inside' },
        h('div', { class: 'line' }, h('h2', {}, h('a', { href: link }, row.name)), this.chip),
        this.reason,
        h('div', { class: 'sparks' }, this.frames.element, this.bits.element),
        h('div', { class: 'buttons' }, this.toggle, this.restart, h('a', { class: 'more', href: link }, 'Details'))));
    this.element.dataset.pipeline = row.name;
  }

  show(row) {
    this.picture.follow(row.state, row.mode);
    showChip(this.chip, row.state, row.health);
    const since = spell(row.since_ns / 1e9);
    const restarts = row.restarts > 0 ? ` · ${plural(row.restarts, 'restart')}` : '';
    setText(this.reason, `${sentence(row.reason.text).replace(/\.$/, '')} · ${since}${restarts}`);
    const stopped = startable.includes(row.state);
    setText(this.toggle, stopped ? 'Start' : 'Stop');
    this.toggle.dataset.verb = stopped ? 'start' : 'stop';
    if (!this.toggle.hasAttribute('aria-busy')) this.toggle.classList.toggle('primary', stopped);
    this.restart.hidden = stopped;
  }

  count() {
    const places = app.numbers.places(this.name);
    // Where it ends: what a source gives comes to a sink or a muxer again.
    const sources = app.sources.get(this.name);
    const [spot, lines] = places.find(([name]) => !sources?.has(name)) ?? places[0] ?? ['', { frames: [], bits: [] }];
    this.frames.element.title = this.bits.element.title = spot && `What comes to ${spot}`;
    this.frames.show(frames(lines.frames), lines.frames);
    this.bits.show(bits(lines.bits.at(-1) ?? null), lines.bits);
  }

  remove() {
    this.picture.remove();
    this.element.remove();
  }
}

class Overview {
  constructor() {
    this.cards = new Map();
    this.summary = h('p', { class: 'summary' }, 'Asking the host…');
    this.grid = h('div', { class: 'grid' });
    this.element = h('section', { 'aria-label': 'Pipelines' }, this.summary, this.grid);
    this.title = 'Pipelines';
    this.rows = new Loop(10, () => app.loadPipelines());
    this.metrics = new Loop(2, () => app.loadNumbers());
  }

  open() {
    this.rows.start();
    this.metrics.start();
  }

  close() {
    this.rows.stop();
    this.metrics.stop();
    for (const card of this.cards.values()) card.remove();
  }

  showPipelines(rows) {
    const names = new Set(rows.map((row) => row.name));
    for (const [name, card] of this.cards) {
      if (names.has(name)) continue;
      card.remove();
      this.cards.delete(name);
    }
    rows.forEach((row, index) => {
      let card = this.cards.get(row.name);
      if (!card) this.cards.set(row.name, card = new Card(row));
      if (this.grid.children[index] !== card.element) this.grid.insertBefore(card.element, this.grid.children[index] ?? null);
      card.show(row);
      card.count();
    });
    const counts = new Map();
    for (const row of rows) counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
    setText(this.summary, rows.length === 0
      ? 'The config has no pipelines. Describe one under pipelines: and run mediahost reload.'
      : `${plural(rows.length, 'pipeline')}: ${[...counts].map(([state, count]) => `${count} ${state}`).join(', ')}`);
  }

  showNumbers() { for (const card of this.cards.values()) card.count(); }
}
