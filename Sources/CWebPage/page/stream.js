// Server-sent events by fetch: an EventSource hears only names that it knows before, and plugins have names of their own.

class Stream {
  static silence = 40000; // the host shows every 15 s that it is there

  /// onEvent(name, data), onState(isOpen, status)
  constructor(path, { onEvent, onState = () => {} }) {
    this.path = path;
    this.onEvent = onEvent;
    this.onState = onState;
    this.last = null;
    this.wait = 1000;
    this.abort = null;
    this.timer = null;
  }

  open() {
    if (this.abort) return;
    clearTimeout(this.timer);
    this.abort = new AbortController();
    this.read(this.abort);
  }

  close() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = null;
  }

  async read(abort) {
    let watchdog = null;
    let status = 0;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => abort.abort(), Stream.silence);
    };
    try {
      alive();
      const headers = this.last ? { 'Last-Event-ID': this.last } : {};
      const response = await fetch(this.path, { headers, cache: 'no-store', signal: abort.signal });
      status = response.status;
      if (response.ok) {
        this.wait = 1000;
        this.onState(true, status);
        await this.parse(response.body.getReader(), alive);
      }
    } catch { /* the connection is gone */ }
    clearTimeout(watchdog);
    if (this.abort !== abort) return; // closed by us
    this.abort = null;
    this.onState(false, status);
    if (status === 401) return;
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 1.5, 5000);
  }

  async parse(reader, alive) {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      alive();
      text += decoder.decode(value, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop();
      for (const message of messages) this.dispatch(message);
    }
  }

  dispatch(message) {
    let name = null;
    let data = '';
    for (const line of message.split('\n')) {
      const colon = line.indexOf(':');
      if (colon < 1) continue;
      const value = line.slice(colon + 1).replace(/^ /, '');
      switch (line.slice(0, colon)) {
        case 'id': this.last = value; break;
        case 'event': name = value; break;
        case 'data': data += value; break;
        default: break;
      }
    }
    if (name === null) return;
    try { this.onEvent(name, JSON.parse(data)); } catch (error) { console.error(`event ${name}:`, error); }
  }
}
