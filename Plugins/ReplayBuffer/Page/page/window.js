// The page: asks, plays, draws.

const video = $('video');
const timeline = new Timeline();
const wish = new URLSearchParams(location.search).get('player');
let player = null;
let isLive = true;
let isPlaying = true;
let trouble = '';

function fail(text) {
  trouble = text;
  say(text);
}

function say(text) {
  $('banner').hidden = !text;
  $('banner').textContent = text;
}

/// What an action met. It stays for a while, whatever the host says in between.
let toldUntil = 0;
function tell(text) {
  say(text);
  toldUntil = performance.now() + 6000;
}

/// Media Source Extensions, where there are any: their time is the recording's. The browser's own HLS elsewhere.
function begin() {
  const type = timeline.formats.get(timeline.segments.at(-1)?.format) ?? '';
  const canFeed = Feeder.canPlay(type);
  const canHLS = Boolean(video.canPlayType('application/vnd.apple.mpegurl'));
  const isNative = wish === 'native' || wish !== 'mse' && !canFeed && canHLS;
  if (!isNative && !canFeed) {
    fail(`This browser can play neither ${type || 'what comes'} nor HLS.`);
    return;
  }
  trouble = '';
  player = new (isNative ? Native : Feeder)(video, timeline, fail);
  document.body.dataset.player = isNative ? 'native' : 'mse';
  for (const id of ['play', 'back', 'forth', 'live']) $(id).disabled = false;
  $('sound').hidden = !/mp4a|opus/.test(type);
  if (!isNative) goLive();
  play();
}

function place() { return player ? player.time : timeline.newest; }

// What a user does.

function seek(time, isFinal = true) {
  if (!player) return;
  isLive = false;
  wanted = timeline.clamp(time);
  const passed = performance.now() - lastSeek;
  // While the knob is dragged: a picture when there is time for one.
  if (!isFinal && (passed < 150 || video.seeking && passed < 1000)) return;
  lastSeek = performance.now();
  player.seek(wanted);
  wanted = undefined;
}
let wanted;
let lastSeek = 0;

function goLive() {
  if (!player) return;
  player.seek(timeline.latest);
  isLive = true;
}

function play() {
  isPlaying = true;
  video.playbackRate = Number($('rate').value);
  video.play().catch((error) => { if (error.name === 'NotAllowedError') pause(); });
}

function pause() {
  isPlaying = false;
  isLive = false;
  video.pause();
}

function step(count) {
  pause();
  seek(place() + count / 25);
}

function rate(change) {
  const select = $('rate');
  select.selectedIndex = Math.min(select.length - 1, Math.max(0, select.selectedIndex + change));
  setRate();
}

function setRate() {
  video.defaultPlaybackRate = video.playbackRate = Number($('rate').value);
  if (video.playbackRate !== 1) isLive = false;
}

function marker(direction) {
  const here = place();
  const all = timeline.markers.map((one) => one.time).sort((a, b) => a - b);
  const next = direction > 0 ? all.find((time) => time > here + 0.2) : all.findLast((time) => time < here - 0.5);
  if (next !== undefined) seek(next);
}

$('play').addEventListener('click', () => (isPlaying ? pause() : play()));
$('back').addEventListener('click', () => seek(place() - 5));
$('forth').addEventListener('click', () => seek(place() + 5));
$('live').addEventListener('click', () => { $('rate').value = '1'; goLive(); play(); });
$('rate').addEventListener('change', setRate);
$('sound').addEventListener('click', () => { video.muted = !video.muted; });
video.addEventListener('click', () => (isPlaying ? pause() : play()));

const keys = {
  ' ': () => (isPlaying ? pause() : play()), k: () => (isPlaying ? pause() : play()),
  ArrowLeft: () => seek(place() - 5), ArrowRight: () => seek(place() + 5),
  ',': () => step(-1), '.': () => step(1), '[': () => marker(-1), ']': () => marker(1),
  '-': () => rate(-1), '+': () => rate(1), '=': () => rate(1),
  Home: () => seek(timeline.oldest + 0.05), End: () => { goLive(); play(); },
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select, input')) return;
  if (event.target.closest('button') && event.key === ' ') return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

// Markers are set where the page may do what the host's own may: not with a signed address.
const instance = location.pathname.match(/^\/plugins\/([^/]+)\/window\/$/)?.[1];
if (instance) {
  $('title').textContent = `Replay: ${decodeURIComponent(instance)}`;
  $('mark').addEventListener('click', async () => {
    try {
      const answer = await fetch(`/v1/plugins/${instance}/commands/mark`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ at: `${Math.round(place() * 1e9)}ns` }),
      });
      if (!answer.ok) return tell(problem(answer, await answer.text()));
      toldUntil = 0;
      refresh();
    } catch (error) {
      tell(`The host does not answer: ${error.message}`);
    }
  });
}

// What is shown.

const bar = new Bar(timeline, seek);

function draw() {
  const here = bar.target ?? place();
  bar.draw(here);
  const behind = Math.max(0, timeline.now - here);
  $('delay').textContent = player ? `${spell(behind)} behind` : '–';
  const wall = timeline.wall(here);
  $('time').textContent = wall ? new Date(wall).toLocaleTimeString() : '';
  $('begin').textContent = timeline.segments.length ? `−${spell(timeline.now - timeline.oldest)}` : '';
  $('end').textContent = timeline.held ? 'paused' : 'live';
  $('play').textContent = isPlaying ? 'Pause' : 'Play';
  $('sound').textContent = video.muted ? 'Sound on' : 'Sound off';
  $('live').classList.toggle('primary', isLive);
  $('badge').hidden = !player;
  $('badge').className = `badge${isLive && !timeline.held ? ' live' : ''}`;
  $('badge').textContent = timeline.held ? 'the source stands' : isLive ? 'live' : `−${spell(behind)}`;
}

async function refresh() {
  try {
    const isNew = await timeline.refresh();
    const hours = timeline.newest - timeline.oldest;
    $('about').textContent = timeline.awaited ? 'waiting'
      : `${spell(hours)} can be seen${timeline.held ? '; the source stands' : ''}`;
    $('mark').hidden = !instance;
    if (isNew && player?.close) {
      player.close();
      player = null;
    }
    if (!player && timeline.segments.length && trouble === '') begin();
    else if (trouble === '' && performance.now() >= toldUntil) say(timeline.awaited);
  } catch (error) {
    const words = {
      401: 'The address, or the session, is over: ask for another one (mediahost web).',
      403: 'The address, or the session, is over: ask for another one (mediahost web).',
      409: error.message, 404: error.message,
    };
    say(words[error.status] ?? `The host does not answer: ${error.message}`);
    $('about').textContent = 'waiting';
  }
}

async function ask() {
  await refresh();
  setTimeout(ask, document.hidden ? 4000 : 800);
}

setInterval(() => {
  player?.tick();
  if (wanted !== undefined && !video.seeking) seek(wanted);
  // Who watches live and fell behind, as a tab in the background does, comes back.
  if (isLive && isPlaying && player && !timeline.held && timeline.latest - place() > 4) goLive();
  if (isPlaying && player && video.paused && video.readyState > 2) video.play().catch(() => {});
  draw();
}, 200);
ask();
