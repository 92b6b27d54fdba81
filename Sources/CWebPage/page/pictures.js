// Pictures of pipelines, fetched while somebody can see them.

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) entry.target.picture?.becomes(entry.isIntersecting);
}, { rootMargin: '64px' });

/// What a pipeline shows, anew every few seconds.
class Picture {
  constructor(name, seconds, most) {
    this.name = name;
    this.most = most;
    this.url = null;
    this.isSeen = false;
    this.state = null;
    this.pad = '';
    this.kind = null; // 'video', 'audio' or null: not known
    this.image = h('img', { alt: '', hidden: true });
    this.words = h('span', { class: 'words' }, '');
    this.element = h('div', { class: 'picture blank' }, this.image, this.words);
    this.element.picture = this;
    this.loop = new Loop(seconds, () => this.load());
    seen.observe(this.element);
  }

  get runs() { return ['playing', 'paused', 'degraded'].includes(this.state); }
  get hasPictures() { return this.runs && this.mode !== 'audio'; }

  /// What the pipeline does now.
  follow(state, mode) {
    if (state === this.state && mode === this.mode) return;
    this.state = state;
    this.mode = mode;
    if (!this.runs) {
      this.kind = null;
      this.loop.stop();
      this.blank(state === 'stopped' || state === 'finished' ? 'No picture while it does not run' : `No picture: ${state}`);
    } else if (mode === 'audio') {
      this.loop.stop();
      this.blank('Sound only');
    } else if (this.isSeen) {
      this.loop.start();
    }
  }

  /// Of a pad in the place of what the pipeline shows; empty: that.
  of(pad) {
    if (pad === this.pad) return;
    this.pad = pad;
    if (this.isSeen && this.hasPictures) this.loop.start();
  }

  becomes(isSeen) {
    if (isSeen === this.isSeen) return;
    this.isSeen = isSeen;
    if (isSeen && this.hasPictures) this.loop.start();
    else this.loop.stop();
  }

  async load() {
    if (this.kind === null) this.kind = await kindOf(this.name);
    if (this.kind === 'audio') {
      this.loop.stop();
      return this.blank('Sound only');
    }
    const run = this.loop.runs;
    const pixels = Math.round(this.element.clientWidth * Math.min(window.devicePixelRatio || 1, 2) / 80) * 80;
    const width = Math.min(Math.max(pixels, 160), this.most);
    try {
      const of = this.pad ? `&pad=${encodeURIComponent(this.pad)}` : '';
      const response = await send('GET', `${place('v1', 'pipelines', this.name, 'snapshot')}?width=${width}${of}`, undefined, 15000);
      const url = URL.createObjectURL(await response.blob());
      this.image.src = url;
      await this.image.decode();
      if (this.url) URL.revokeObjectURL(this.url);
      this.url = url;
      // It was stopped meanwhile.
      if (run !== this.loop.runs) return undefined;
      this.element.classList.remove('blank');
      this.image.hidden = false;
      this.image.alt = this.pad ? `What leaves ${this.pad}` : `What ${this.name} shows`;
      setText(this.words, '');
    } catch (error) {
      if (run === this.loop.runs) this.blank(error instanceof Problem ? error.message : 'No picture');
    }
    return undefined;
  }

  blank(words) {
    this.element.classList.add('blank');
    this.image.hidden = true;
    setText(this.words, words);
  }

  remove() {
    this.loop.stop();
    seen.unobserve(this.element);
    if (this.url) URL.revokeObjectURL(this.url);
  }
}

/// Whether there is a picture to ask for, by what passes the pads. Null while nothing passes.
async function kindOf(name) {
  const graph = await ask(`${place('v1', 'pipelines', name, 'graph')}?format=json`);
  app.sources.set(name, new Set(graph.elements.filter((each) => each.pads.every((pad) => pad.direction === 'src')).map((each) => each.name)));
  const caps = graph.elements.flatMap((element) => element.pads.map((pad) => pad.caps)).filter((text) => text);
  if (caps.some((text) => /^(video|image)\//.test(text))) return 'video';
  return caps.length > 0 ? 'audio' : null;
}
