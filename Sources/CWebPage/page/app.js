// The page as a whole: which view is open, what the host does, and whether it is there.

const healths = {
  stopped: 'idle', finished: 'idle', starting: 'waiting', buffering: 'waiting', playing: 'good', paused: 'good',
  degraded: 'degraded', stalled: 'bad', recovering: 'bad', failed: 'bad',
};

const app = {
  isOnline: false,
  isOver: false,
  pipelines: [],
  plugins: [],
  status: null,
  numbers: new Numbers(),
  sources: new Map(),
  memory: new EventMemory(),
  view: null,

  begin() {
    this.events = new Stream('/v1/events?last=200', {
      onEvent: (name, event) => this.happened(event),
      onState: (isOpen, status) => this.connected(isOpen, status),
    });
    this.statusLoop = new Loop(20, () => this.loadStatus());
    $('pause').addEventListener('click', () => this.lifecycle($('pause')));
    $('lock').addEventListener('click', () => this.lifecycle($('lock')));
    window.addEventListener('hashchange', () => this.route());
    document.addEventListener('visibilitychange', () => this.visible());
    this.banner('Connecting to the host…', 'quiet');
    this.route();
    if (!document.hidden) this.events.open();
  },

  // Views.

  route() {
    const path = location.hash.startsWith('#/') ? location.hash.slice(2) : '';
    if (location.hash && !location.hash.startsWith('#/')) return;
    const [kind, ...rest] = path.split('/');
    let name = '';
    try { name = decodeURIComponent(rest.join('/')); } catch { /* no name of a pipeline */ }
    this.view?.close();
    this.view = kind === 'pipelines' && name ? new PipelineView(name)
      : kind === 'plugins' ? new PluginsView()
        : kind === 'events' ? new EventsView(this.memory)
          : kind === 'log' ? new LogView() : new Overview();
    $('main').replaceChildren(this.view.element);
    document.title = `${this.view.title} · mediahost`;
    for (const link of document.querySelectorAll('.tabs a')) {
      const isHere = link.hash === `#/${kind === 'pipelines' ? '' : kind}`;
      if (isHere) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.view.open();
    if (this.pipelines.length > 0) this.view.showPipelines?.(this.pipelines);
    window.scrollTo(0, 0);
  },

  visible() {
    if (this.isOver) return;
    this.view?.follow?.(!document.hidden);
    if (document.hidden) {
      this.events.close();
    } else {
      this.events.open();
      // What was drawn before has a hole in it.
      this.numbers.clear();
    }
  },

  // The connection.

  connected(isOpen, status) {
    if (isOpen) {
      const wasAway = !this.isOnline;
      this.isOnline = true;
      this.banner(null);
      if (wasAway) this.refresh();
      return;
    }
    this.isOnline = false;
    this.showHost();
    if (status === 401) this.sessionIsOver();
    else if (status === 503) this.banner('The host has as many listeners as it takes. Trying again…');
    else this.banner('The host does not answer. Trying again… If it was started anew, mediahost web opens a new page.');
  },

  sessionIsOver() {
    if (this.isOver) return;
    this.isOver = true;
    this.isOnline = false;
    this.events.close();
    this.showHost();
    this.banner('This page’s session is over. Run mediahost web on the host’s machine, and open the address that it prints.');
  },

  banner(text, kind = '') {
    $('banner').hidden = text === null;
    $('banner').className = `banner ${kind}`;
    setText($('banner'), text ?? '');
  },

  refresh() {
    this.numbers.clear();
    this.statusLoop.start();
    this.loadPipelines().catch(() => {});
    this.view?.open();
  },

  // What the host does.

  happened(event) {
    this.memory.add(event);
    this.view?.happened?.(event);
    const [family] = event.name.split('.');
    if (event.name === 'pipeline.state') this.changed(event);
    if (family === 'pipeline' && event.name !== 'pipeline.property') this.soon('pipelines', () => this.loadPipelines());
    if (family === 'lifecycle' || family === 'gap') this.soon('status', () => this.loadStatus());
    if (family === 'plugin' || family === 'config') this.soon('plugins', () => this.view?.refresh?.());
    if (family === 'config' || family === 'gap') this.soon('pipelines', () => this.loadPipelines());
  },

  /// At once, before the rest is asked for.
  changed(event) {
    const row = this.pipelines.find((each) => each.name === event.source);
    if (!row || !event.payload?.state || row.state === event.payload.state) return;
    row.state = event.payload.state;
    row.health = healths[row.state] ?? 'waiting';
    row.reason = { code: event.payload.reason ?? '', text: event.payload.message ?? '' };
    row.since_ns = 0;
    this.view?.showPipelines?.(this.pipelines);
  },

  timers: {},

  /// Several events are one reason to ask.
  soon(what, action) {
    if (this.timers[what] || !this.isOnline) return;
    this.timers[what] = setTimeout(() => {
      this.timers[what] = null;
      Promise.resolve(action()).catch(() => {});
    }, 150);
  },

  async loadPipelines() {
    this.pipelines = (await ask('/v1/pipelines')).pipelines;
    this.view?.showPipelines?.(this.pipelines);
  },

  async loadNumbers() {
    this.numbers.feed(await (await send('GET', '/metrics')).text());
    this.showVitals();
    this.view?.showNumbers?.();
  },

  async loadStatus() {
    this.status = await ask('/v1/status');
    this.showHost();
    this.showVitals();
  },

  showHost() {
    document.body.classList.toggle('away', !this.isOnline);
    const lifecycle = this.status?.lifecycle;
    const desired = lifecycle?.desired ?? [];
    const isLocked = desired.includes('locked');
    const state = !this.isOnline ? (this.isOver ? 'session over' : 'no answer') : lifecycle?.state ?? 'connecting';
    const others = desired.filter((name) => !['paused', 'locked'].includes(name));
    setText($('host-state'), [state, this.isOnline && isLocked ? 'locked' : '', ...(this.isOnline ? others : [])].filter(Boolean).join(' · '));
    $('host-dot').className = `dot ${!this.isOnline ? 'bad' : state === 'running' ? 'good' : 'waiting'}`;
    const isPaused = desired.includes('paused') || state === 'paused';
    setText($('pause'), isPaused ? 'Resume' : 'Pause');
    $('pause').dataset.verb = isPaused ? 'resume' : 'pause';
    setText($('lock'), isLocked ? 'Unlock' : 'Lock');
    $('lock').dataset.verb = isLocked ? 'unlock' : 'lock';
    for (const control of [$('pause'), $('lock')]) {
      if (!control.hasAttribute('aria-busy')) control.disabled = !this.isOnline || !lifecycle;
    }
  },

  showVitals() {
    const { sample, cpu } = this.numbers;
    const vitals = [['version', this.status?.version]];
    if (sample?.started) vitals.push(['up', spell(Date.now() / 1000 - sample.started)]);
    if (cpu !== null && cpu !== undefined) vitals.push(['CPU', `${(cpu * 100).toFixed(1)} %`]);
    if (sample?.memory) vitals.push(['memory', `${(sample.memory / 1048576).toFixed(0)} MiB`]);
    $('vitals').replaceChildren(...vitals.filter(([, value]) => value).map(([key, value]) => h('div', {}, h('dt', {}, key), h('dd', {}, value))));
  },

  lifecycle(control) {
    return act(control, async () => {
      await tell(`/v1/${control.dataset.verb}`);
      await this.loadStatus();
      await this.loadPipelines();
    });
  },
};

app.begin();
