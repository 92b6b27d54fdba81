'use strict';

// Elements. Data becomes text nodes and attributes, never markup.

const $ = (id) => document.getElementById(id);

function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/// Changes a text only where it is another one: what is selected stays so, and nothing is drawn anew.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function button(label, action, attributes = {}) {
  return h('button', { type: 'button', onclick: action, ...attributes }, label);
}

// Texts.

function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

function spell(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${plural(Math.floor(s / 86400), 'day')} ${Math.floor((s % 86400) / 3600)} h`;
}

function clock(ns) {
  if (ns === null || ns === undefined) return '–';
  const s = Math.floor(ns / 1e9);
  const two = (number) => String(number).padStart(2, '0');
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}`
    : `${Math.floor(s / 3600)}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}`;
}

function timeOfDay(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const pad = (number, digits = 2) => String(number).padStart(digits, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

function bits(perSecond) {
  if (perSecond === null) return ['–', 'kbit/s'];
  if (perSecond >= 999500) return [(perSecond / 1e6).toFixed(perSecond >= 99.95e6 ? 0 : 1), 'Mbit/s'];
  return [(perSecond / 1e3).toFixed(0), 'kbit/s'];
}

/// The members of a payload, each with a text.
function pairs(value) {
  if (value === null) return [];
  if (typeof value !== 'object') return [['', plain(value)]];
  return Object.entries(value).map(([key, item]) => {
    if (key.endsWith('_ns') && typeof item === 'number') return [key.slice(0, -3), span(item)];
    // An error in full is in the view of what it happened to.
    return [key, typeof item?.code === 'string' ? item.code : plain(item)];
  });
}

function span(ns) {
  if (ns >= 60e9) return spell(ns / 1e9);
  return ns >= 1e9 ? `${(ns / 1e9).toFixed(2)} s` : `${(ns / 1e6).toFixed(1)} ms`;
}

function plain(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

// The host's API.

/// What went wrong, in words for people.
class Problem extends Error {
  constructor(message, { status = 0, field = null } = {}) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

function place(...names) {
  return `/${names.map(encodeURIComponent).join('/')}`;
}

async function send(method, path, body, limit = 60000) {
  const options = { method, cache: 'no-store', credentials: 'same-origin', signal: AbortSignal.timeout(limit) };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { 'Content-Type': 'application/json' };
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    throw new Problem(error.name === 'TimeoutError' ? 'The host did not answer in time.' : 'The host does not answer.');
  }
  if (response.ok) return response;
  if (response.status === 401) app.sessionIsOver();
  let document = null;
  try { document = await response.json(); } catch { /* not the host's own answer */ }
  throw new Problem(sentence(document?.detail ?? `The host answered with status ${response.status}`),
    { status: response.status, field: document?.field ?? null });
}

async function ask(path) { return (await send('GET', path)).json(); }
async function tell(path, body) { return (await send('POST', path, body)).json(); }

/// The host's messages begin small, for its log.
function sentence(text) {
  if (!text) return '';
  // The name of an element stays as it is.
  const first = /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/// Shows a message for a while; errors until they are read.
function notify(message, isError = false) {
  const notice = h('div', { class: isError ? 'toast bad' : 'toast' }, h('span', {}, message));
  const close = () => notice.remove();
  notice.append(button('×', close, { class: 'plain', 'aria-label': 'Dismiss' }));
  while ($('notices').children.length >= 3) $('notices').firstChild.remove();
  $('notices').append(notice);
  if (!isError) setTimeout(close, 4000);
}

/// Does what a control asks for; it cannot be pressed again meanwhile.
async function act(control, action) {
  control.setAttribute('aria-busy', 'true');
  control.disabled = true;
  try {
    return await action();
  } catch (error) {
    notify(error instanceof Problem ? error.message : sentence(String(error.message ?? error)), true);
    return undefined;
  } finally {
    control.removeAttribute('aria-busy');
    control.disabled = false;
  }
}

// What happens again and again, while the page is looked at.

class Loop {
  constructor(seconds, action) {
    this.seconds = seconds;
    this.action = action;
    this.timer = null;
    this.runs = 0;
  }

  start() {
    this.stop();
    this.turn(++this.runs);
  }

  stop() {
    this.runs += 1;
    clearTimeout(this.timer);
  }

  async turn(run) {
    try {
      if (!document.hidden && app.isOnline) await this.action();
    } catch { /* what the host does not answer is shown by the banner */ }
    if (run === this.runs) this.timer = setTimeout(() => this.turn(run), this.seconds * 1000);
  }
}
