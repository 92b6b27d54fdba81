// What happens, and what the host logs: the newest first.

class List {
  static most = 300;

  constructor(empty) {
    this.rows = h('ol', { class: 'rows' });
    this.empty = h('p', { class: 'empty' }, empty);
    this.element = h('div', {}, this.empty, this.rows);
  }

  add(row) {
    this.empty.hidden = true;
    this.rows.prepend(row);
    if (this.rows.children.length > List.most) this.rows.lastChild.remove();
  }

  clear(empty) {
    this.rows.replaceChildren();
    this.empty.hidden = false;
    if (empty) setText(this.empty, empty);
  }
}

/// What the host has told, for as long as this page is open; bounded.
class EventMemory {
  static most = 1000;

  constructor() { this.events = []; }

  add(event) {
    this.events.push(event);
    if (this.events.length > EventMemory.most) this.events.shift();
  }
}

class EventsView {
  constructor(memory) {
    this.title = 'Events';
    this.memory = memory;
    this.filter = h('input', {
      id: 'event-filter', type: 'search', placeholder: 'pipeline.* camera', autocomplete: 'off', spellcheck: 'false',
      autocapitalize: 'off', value: sessionStorage.getItem('event-filter') ?? '', oninput: () => this.fill(),
    });
    this.hold = h('input', { id: 'event-hold', type: 'checkbox', onchange: () => { if (!this.hold.checked) this.fill(); } });
    this.list = new List('Nothing has happened yet.');
    this.element = h('section', { 'aria-label': 'Events' },
      h('div', { class: 'tools' },
        h('label', { for: 'event-filter' }, 'Filter'), this.filter,
        h('div', { class: 'check' }, this.hold, h('label', { for: 'event-hold' }, 'Hold still'))),
      this.list.element);
  }

  open() { this.fill(); }
  close() {}

  fill() {
    sessionStorage.setItem('event-filter', this.filter.value);
    this.list.clear(this.memory.events.length === 0 ? 'Nothing has happened yet.' : 'None of the events passes the filter.');
    for (const event of this.memory.events.filter((each) => this.passes(each)).slice(-List.most)) this.list.add(this.row(event));
  }

  happened(event) {
    if (!this.hold.checked && this.passes(event)) this.list.add(this.row(event));
  }

  /// Every word must be there; one with a star is a pattern for the name.
  passes(event) {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = `${event.name} ${event.source ?? ''} ${JSON.stringify(event.payload ?? '')}`.toLowerCase();
    return words.every((word) => (word.endsWith('*') ? event.name.startsWith(word.slice(0, -1)) : text.includes(word)));
  }

  row(event) {
    if (event.name === 'gap') {
      return h('li', { class: 'gap' }, event.lost === null ? 'Some events are missing here' : `${plural(event.lost, 'event')} missing here`,
        ` (${event.reason})`);
    }
    return h('li', {},
      h('time', { datetime: event.time }, timeOfDay(event.time)),
      h('span', { class: 'source' }, event.source),
      h('span', { class: 'what' }, h('b', {}, event.name), ' ',
        pairs(event.payload).filter(([, value]) => value !== '')
          .flatMap(([key, value]) => [h('span', { class: 'pair' }, key ? `${key}=` : '', h('i', {}, value)), ' '])));
  }
}

class LogView {
  constructor() {
    this.title = 'Log';
    const options = [['debug', 'all lines'], ['notice', 'notices and worse'], ['warning', 'warnings and errors'], ['error', 'errors']];
    this.level = h('select', { id: 'log-level', onchange: () => this.restart() },
      options.map(([value, text]) => h('option', { value, selected: value === (sessionStorage.getItem('log-level') ?? 'notice') }, text)));
    this.source = h('input', {
      id: 'log-source', type: 'search', placeholder: 'a pipeline, plugin or host', autocomplete: 'off', spellcheck: 'false',
      autocapitalize: 'off', onchange: () => this.restart(),
    });
    this.list = new List('Asking the host…');
    this.element = h('section', { 'aria-label': 'Log' },
      h('div', { class: 'tools' }, h('label', { for: 'log-level' }, 'Show'), this.level,
        h('label', { for: 'log-source' }, 'from'), this.source),
      this.list.element);
    this.stream = null;
  }

  open() { this.restart(); }

  close() {
    this.stream?.close();
    this.stream = null;
  }

  /// The page is looked at again, or not any more.
  follow(isVisible) {
    if (isVisible) this.stream?.open();
    else this.stream?.close();
  }

  restart() {
    this.close();
    sessionStorage.setItem('log-level', this.level.value);
    this.list.clear('Nothing of that kind is in the log.');
    const query = new URLSearchParams({ last: '200', level: this.level.value });
    if (this.source.value.trim()) query.set('component', this.source.value.trim());
    this.stream = new Stream(`/v1/logs/stream?${query}`, { onEvent: (name, line) => this.add(name, line) });
    this.stream.open();
  }

  add(name, line) {
    if (name === 'gap') {
      this.list.add(h('li', { class: 'gap' }, line.lost === null ? 'Some lines are missing here' : `${plural(line.lost, 'line')} missing here`));
      return;
    }
    this.list.add(h('li', { class: `level-${line.level}` },
      h('time', { datetime: line.time }, timeOfDay(line.time)),
      h('span', { class: `level ${line.level}` }, line.level),
      h('span', { class: 'what' }, h('b', {}, line.source ? `${line.source}: ` : ''), `${line.text} `,
        line.element ? h('span', { class: 'pair' }, 'element=', h('i', {}, line.element)) : null)));
  }
}
