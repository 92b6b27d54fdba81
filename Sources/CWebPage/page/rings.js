// What a plugin's commands declare as tables (`x-columns`): rows with a progress are rings, which go on by themselves to their end.

class LiveTables {
  constructor(plugin) {
    this.plugin = plugin;
    this.commands = [];
    this.tables = new Map();
    this.isAsking = false;
    this.element = h('div', { class: 'live', hidden: true });
    this.second = null;
    this.end = null;
  }

  /// Only commands that can be asked without words: a table says that it shows something and does nothing else.
  show(commands) {
    this.commands = Object.entries(commands).filter(([, command]) => !(command.parameters?.required?.length > 0)
      && Object.values(command.result?.properties ?? {}).some((rule) => rule['x-columns']));
    this.element.hidden = this.commands.length === 0;
    if (!this.element.hidden) this.load();
  }

  close() {
    clearInterval(this.second);
    clearTimeout(this.end);
    this.second = this.end = null;
  }

  async load() {
    if (this.isAsking || this.commands.length === 0) return;
    this.isAsking = true;
    try {
      for (const [name, command] of this.commands) {
        const response = await send('POST', place('v1', 'plugins', this.plugin, 'commands', name), {});
        this.fill(name, command.result.properties, await response.json(), hostTime(response));
      }
      this.goOn();
    } catch { /* what the host does not answer is shown by the banner */ } finally {
      this.isAsking = false;
    }
  }

  fill(command, rules, answer, now) {
    for (const [key, rule] of Object.entries(rules)) {
      if (!rule['x-columns']) continue;
      const id = `${command}.${key}`;
      let table = this.tables.get(id);
      if (!table) {
        table = new LiveTable(id, key, rule);
        this.tables.set(id, table);
        this.element.append(table.element);
      }
      table.show(answer?.[key] ?? [], now);
    }
  }

  /// Numbers each second, by this clock; the host is asked when something is over.
  goOn() {
    this.close();
    const rings = [...this.tables.values()].flatMap((table) => [...table.rings.values()]);
    const ends = rings.map((ring) => ring.end).filter((end) => end !== null);
    if (ends.length === 0) return;
    this.second = setInterval(() => { for (const ring of rings) ring.count(); }, 1000);
    const wait = Math.max(0, Math.min(...ends) - performance.now()) + 300;
    if (wait < 2 ** 31) this.end = setTimeout(() => this.load(), wait);
  }
}

class LiveTable {
  constructor(id, key, rule) {
    this.columns = rule['x-columns'];
    this.rules = rule.items?.properties ?? {};
    this.progress = this.columns.find((name) => this.rules[name]?.format === 'progress');
    this.ending = Object.keys(this.rules).find((name) => this.rules[name]?.format === 'end-time');
    this.span = this.columns.find((name) => this.rules[name]?.format === 'duration');
    this.rings = new Map();
    this.rows = this.progress ? h('ul', { class: 'rings' }) : h('tbody');
    this.known = null;
    const words = (name) => name.replaceAll(/[_-]/g, ' ');
    this.element = h('section', { class: 'live-table', 'aria-label': words(key) }, h('h3', {}, words(key)),
      this.progress ? this.rows
        : h('table', {}, h('thead', {}, h('tr', {}, this.columns.map((name) => h('th', { scope: 'col' }, words(name))))), this.rows));
    this.element.dataset.table = id;
  }

  show(items, now) {
    this.element.hidden = items.length === 0;
    if (this.progress) return this.showRings(items, now);
    const known = JSON.stringify(items);
    if (known !== this.known) {
      this.rows.replaceChildren(...items.map((item) => h('tr', {}, this.columns.map((name) => h('td', {}, shown(item[name], this.rules[name]))))));
    }
    this.known = known;
    return undefined;
  }

  showRings(items, now) {
    const names = new Set();
    items.forEach((item, index) => {
      const name = plain(item[this.columns[0]] ?? index);
      names.add(name);
      let ring = this.rings.get(name);
      if (!ring) this.rings.set(name, ring = new Ring(name));
      const words = this.columns.slice(1).filter((column) => column !== this.progress && column !== this.ending && this.rules[column]?.format !== 'duration')
        .map((column) => shown(item[column], this.rules[column]));
      ring.show(item[this.progress] ?? null, this.ending ? item[this.ending] ?? null : null, this.span ? item[this.span] ?? null : null, words.join(' · '), now);
      if (this.rows.children[index] !== ring.element) this.rows.insertBefore(ring.element, this.rows.children[index] ?? null);
    });
    for (const [name, ring] of this.rings) {
      if (names.has(name)) continue;
      ring.element.remove();
      this.rings.delete(name);
    }
  }
}

/// A progress that is known now, and reaches 1 at a moment that is known, too.
class Ring {
  constructor(name) {
    this.end = null;
    this.arc = svg('circle', { class: 'arc', cx: 18, cy: 18, r: 15.9155, 'stroke-dasharray': '100 100', 'stroke-dashoffset': 100 });
    this.left = h('b', {}, '–');
    this.words = h('span', { class: 'about' });
    this.picture = h('div', { class: 'ring', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-label': name },
      svg('svg', { viewBox: '0 0 36 36', 'aria-hidden': 'true' }, svg('circle', { class: 'track', cx: 18, cy: 18, r: 15.9155 }), this.arc), this.left);
    this.element = h('li', {}, this.picture, h('span', { class: 'name' }, name), this.words);
    this.element.dataset.row = name;
  }

  /// - now: the host's clock, in milliseconds since 1970; `end`: nanoseconds of it, null where it stands; `span`: what is said then.
  show(progress, end, span, words, now) {
    this.span = span;
    setText(this.words, words);
    const left = end === null ? null : Math.max(0, end / 1e6 - now);
    this.end = left === null ? null : performance.now() + left;
    this.begin = performance.now();
    this.progress = progress;
    this.motion?.cancel();
    this.motion = null;
    this.arc.setAttribute('stroke-dashoffset', 100 * (1 - (progress ?? 0)));
    if (left !== null && progress !== null) {
      this.motion = this.arc.animate([{ strokeDashoffset: 100 * (1 - progress) }, { strokeDashoffset: 0 }], { duration: Math.max(1, left), fill: 'forwards' });
    }
    this.count();
  }

  count() {
    const left = this.end === null ? null : Math.max(0, this.end - performance.now());
    setText(this.left, left === null ? clock(this.span) : clock(Math.ceil(left / 1000) * 1e9));
    const whole = this.end === null ? 0 : this.end - this.begin;
    const rest = 1 - (this.progress ?? 0);
    const done = whole > 0 ? 1 - rest * (left / whole) : this.progress ?? 0;
    this.picture.setAttribute('aria-valuenow', Math.round(100 * done));
  }
}

/// What the host's clock shows, which need not be this one's; by what it says on its answers, to half a second.
function hostTime(response) {
  const said = Date.parse(response.headers.get('Date') ?? '');
  const apart = Number.isNaN(said) ? 0 : said + 500 - Date.now();
  return Date.now() + (Math.abs(apart) < 2000 ? 0 : apart);
}

function shown(value, rule) {
  if (value === null || value === undefined) return '–';
  switch (rule?.format) {
    case 'duration': return spell(value / 1e9);
    case 'time': case 'end-time': return new Date(value / 1e6).toLocaleString([], { dateStyle: 'short', timeStyle: 'medium' });
    case 'progress': return `${Math.floor(value * 100)} %`;
    default: return plain(value);
  }
}
