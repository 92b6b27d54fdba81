// Plugins: what each is, what it can do, and how it is set.

class PluginsView {
  constructor() {
    this.title = 'Plugins';
    this.panels = new Map();
    this.summary = h('p', { class: 'summary' }, 'Asking the host…');
    this.list = h('div', { class: 'plugins' });
    this.element = h('section', { 'aria-label': 'Plugins' }, this.summary, this.list);
    this.loop = new Loop(5, () => this.load());
  }

  open() { this.loop.start(); }
  close() {
    this.loop.stop();
    for (const panel of this.panels.values()) panel.live.close();
  }

  /// What a plugin tells may have changed what it shows.
  happened(event) {
    const panel = this.panels.get(event.source);
    if (panel) app.soon(`live ${event.source}`, () => panel.live.load());
  }

  /// Something happened to one of them.
  refresh() { this.loop.start(); }

  async load() {
    const [{ plugins }, commands, { routes }] = await Promise.all([ask('/v1/plugins'), ask('/v1/commands'), ask('/plugins')]);
    app.plugins = plugins;
    const bad = plugins.filter((row) => row.state === 'failed').length;
    setText(this.summary, plugins.length === 0
      ? 'The config has no plugins. They are named under plugins: with their module.'
      : `${plural(plugins.length, 'plugin')}${bad > 0 ? `, ${bad} failed` : ''}`);
    for (const [name, panel] of this.panels) {
      if (plugins.some((row) => row.name === name)) continue;
      panel.live.close();
      panel.element.remove();
      this.panels.delete(name);
    }
    for (const row of plugins) {
      let panel = this.panels.get(row.name);
      if (!panel) {
        this.panels.set(row.name, panel = new PluginPanel(row.name));
        this.list.append(panel.element);
      }
      panel.show(row, commands[row.name] ?? {}, routes.filter((route) => route.plugin === row.name));
    }
    for (const panel of this.panels.values()) if (panel.isOpen) await panel.load();
  }
}

class PluginPanel {
  constructor(name) {
    this.name = name;
    this.known = null;
    this.chip = chip();
    this.about = h('p', { class: 'reason' });
    this.trouble = h('p', { class: 'trouble', hidden: true });
    this.live = new LiveTables(name);
    this.commands = h('div', { class: 'commands' });
    this.config = h('dl', { class: 'table' });
    this.numbers = h('dl', { class: 'table' });
    this.routes = h('ul', { class: 'routes' });
    this.pages = this.fold('Pages', this.routes);
    this.editor = h('div', { class: 'editor', hidden: true });
    this.change = button('Change', () => this.edit());
    this.settings = this.fold('Config', h('div', {}, this.config, h('div', { class: 'buttons' }, this.change), this.editor));
    this.counts = this.fold('Numbers', this.numbers);
    this.keep = checkbox('Also after a restart');
    this.toggle = button('Disable', () => act(this.toggle, async () => {
      const verb = this.toggle.dataset.verb;
      const isKept = this.keep.input.checked;
      const answer = await tell(`${place('v1', 'plugins', this.name, verb)}?save=${isKept}`);
      if (isKept) notify(`${this.name} is ${verb}d${kept(answer, isKept)}`);
      await app.view?.load?.();
    }));
    this.element = h('article', { class: 'panel plugin', 'aria-label': name },
      h('div', { class: 'line' }, h('h2', {}, name), this.chip), this.about, this.trouble, this.live.element, this.commands,
      this.pages, this.settings, this.counts, h('div', { class: 'buttons' }, this.toggle, this.keep.element));
    this.element.dataset.plugin = name;
  }

  fold(title, content) {
    return h('details', { class: 'fold', 'data-part': title.toLowerCase(), ontoggle: () => { if (this.isOpen) this.load().catch(() => {}); } },
      h('summary', {}, title), content);
  }

  get isOpen() { return this.settings.open || this.counts.open; }

  show(row, commands, routes) {
    showChip(this.chip, row.state, { active: 'good', failed: 'bad', stopped: 'idle', disabled: 'idle' }[row.state] ?? 'waiting');
    const made = [row.module, row.version].filter(Boolean).join(' ');
    const restarts = row.restarts > 0 ? ` · ${plural(row.restarts, 'restart')}` : '';
    setText(this.about, `${row.summary ? `${sentence(row.summary)} ` : ''}${made} · on failure: ${row.policy}${restarts}`);
    this.trouble.hidden = !row.reason;
    setText(this.trouble, row.reason ? sentence(row.reason) : '');
    const isOff = ['failed', 'disabled', 'stopped'].includes(row.state);
    for (const part of [this.settings, this.counts]) part.hidden = isOff;
    setText(this.toggle, isOff ? 'Enable' : 'Disable');
    this.toggle.dataset.verb = isOff ? 'enable' : 'disable';
    this.toggle.classList.toggle('primary', isOff);
    this.showPages(routes.filter((route) => route.method === 'GET' && !route.path.includes('{')));
    this.live.show(commands);
    const known = JSON.stringify(commands);
    if (known === this.known) return;
    // What somebody has filled in stays until the commands are other ones.
    this.known = known;
    this.commands.replaceChildren(...Object.entries(commands).map(([name, command]) => this.command(name, command)));
  }

  command(name, command) {
    const answer = h('div', { class: 'answer', role: 'status', 'aria-live': 'polite' });
    const form = new Form(command.parameters, 'Run', (parameters) => act(form.submit, async () => {
      answer.replaceChildren(h('p', { class: 'empty' }, 'It runs…'));
      try {
        const path = `${place('v1', 'plugins', this.name, 'commands', name)}?wait=2s`;
        const response = await send('POST', path, parameters);
        const result = await response.json();
        answer.replaceChildren(showAnswer(response.status === 202 ? await followJob(result, answer) : result));
        this.live.load();
      } catch (error) {
        answer.replaceChildren();
        if (!(error instanceof Problem)) throw error;
        if (!form.complain(error.field, error.message)) answer.append(h('p', { class: 'trouble' }, error.message));
      }
    }));
    const box = h('details', { class: 'fold command' },
      h('summary', {}, h('code', {}, name), h('span', { class: 'about' }, command.summary)), form.element, answer);
    box.dataset.command = name;
    return box;
  }

  async load() {
    const plugin = await ask(place('v1', 'plugins', this.name));
    const rules = plugin.schema?.properties ?? {};
    this.plugin = plugin;
    this.change.hidden = changeable(plugin).length === 0 || !this.editor.hidden;
    showTable(this.config, Object.entries(plugin.config ?? {}).map(([key, value]) => [key, value, rules[key]?.description]));
    showTable(this.numbers, [...numbersOf(plugin.metrics), ...numbersOf(plugin.counters)]);
  }

  /// A form of what may be changed while it runs; only what was changed is sent.
  edit() {
    const config = this.plugin.config ?? {};
    const rules = changeable(this.plugin).map(([key, rule]) => [key, { ...rule, default: config[key] ?? rule.default }]);
    const keep = checkbox('Also after a restart');
    const end = () => { this.editor.hidden = true; this.load().catch(() => {}); };
    const form = new Form({ properties: Object.fromEntries(rules) }, 'Apply', (values) => act(form.submit, async () => {
      const changes = Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(config[key])));
      if (Object.keys(changes).length === 0) return end();
      try {
        const isKept = keep.input.checked;
        const path = `${place('v1', 'plugins', this.name, 'config')}?save=${isKept}`;
        notify(`${this.name} has taken it${kept(await (await send('PATCH', path, changes)).json(), isKept)}`);
        end();
      } catch (error) {
        if (!(error instanceof Problem) || !form.complain(error.field, error.message)) throw error;
      }
      return undefined;
    }));
    form.submit.before(keep.element);
    form.submit.after(button('Cancel', end));
    this.editor.replaceChildren(form.element);
    this.editor.hidden = false;
    this.change.hidden = true;
    form.fields[0]?.input.focus();
  }

  /// What of it a browser can open.
  showPages(pages) {
    this.pages.hidden = pages.length === 0;
    const known = JSON.stringify(pages);
    if (known === this.knownPages) return;
    this.knownPages = known;
    this.routes.replaceChildren(...pages.map((page) => h('li', {},
      h('a', { href: page.path, target: '_blank', rel: 'noopener' }, page.path), h('span', { class: 'about' }, page.summary))));
  }
}

/// The keys of a plugin's config that are not for its file alone, as the host has it.
function changeable(plugin) {
  return Object.entries(plugin.schema?.properties ?? {})
    .filter(([, rule]) => !['secret', 'path', 'device', 'uri'].includes(rule.format) && rule['x-reserves'] !== true);
}

/// Waits for a command that takes long, and shows how far it is. Returns what it answers in the end.
async function followJob(first, shown) {
  const path = place('v1', 'jobs', first.id);
  const bar = h('progress', { max: 1, 'aria-label': 'Progress' });
  const words = h('span', { class: 'about' });
  const cancel = button('Cancel', () => act(cancel, () => tell(`${path}/cancel`)));
  shown.replaceChildren(h('div', { class: 'job' }, bar, words, cancel));
  let job = first;
  while (['running', 'cancelling'].includes(job.state)) {
    if (job.progress === null) bar.removeAttribute('value');
    else bar.value = job.progress;
    setText(words, [job.state === 'cancelling' ? 'being cancelled' : job.text, span(job.elapsed_ns)].filter(Boolean).join(' · '));
    job = await ask(`${path}?wait=2s`);
  }
  if (job.error) throw new Problem(sentence(job.error.detail), { field: job.error.field ?? null });
  return job.result ?? null;
}

/// Whatever a command answers.
function showAnswer(result) {
  if (result === null || (typeof result === 'object' && Object.keys(result).length === 0)) {
    return h('p', { class: 'done' }, 'Done.');
  }
  return h('pre', {}, JSON.stringify(result, null, 2));
}

function showTable(list, rows) {
  if (rows.length === 0) return list.replaceChildren(h('div', { class: 'empty' }, 'Nothing.'));
  return list.replaceChildren(...rows.map(([key, value, about]) => h('div', {},
    h('dt', {}, key, about ? h('span', { class: 'about' }, about) : null), h('dd', {}, value === null ? '–' : plain(value)))));
}

function numbersOf(value) {
  if (Array.isArray(value)) return value.map((item) => [item.name ?? '', item.value ?? item]);
  return Object.entries(value ?? {}).filter(([, item]) => !(typeof item === 'object' && Object.keys(item ?? {}).length === 0))
    .map(([key, item]) => [key.replaceAll('_', ' '), item]);
}
