// What a pipeline is made of: elements from left to right, and what passes between them.

function drawGraph(graph) {
  // A pipeline may have the name of one of its elements.
  const inside = new Set(graph.elements.filter((element) => element.bin).map((element) => element.name));
  const nodes = graph.elements.filter((element) => !inside.has(element.parent))
    .map((element) => ({ ...element, column: 0, inner: element.bin ? graph.elements.filter((other) => other.parent === element.name).length : 0 }));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const split = (pad) => { const dot = pad.lastIndexOf('.'); return [pad.slice(0, dot), pad.slice(dot + 1)]; };
  const links = graph.links.map((link) => {
    const [from, fromPad] = split(link.from);
    const [to, toPad] = split(link.to);
    return { from: byName.get(from), to: byName.get(to), fromPad, toPad, caps: link.caps };
  }).filter((link) => link.from && link.to && link.from !== link.to);

  // Each behind all it gets data from; a circle ends where it began.
  for (let round = 0; round < nodes.length; round += 1) {
    let moved = false;
    for (const link of links) {
      if (link.to.column <= link.from.column && link.from.column + 1 < nodes.length) {
        link.to.column = link.from.column + 1;
        moved = true;
      }
    }
    if (!moved) break;
  }
  const columns = [];
  for (const node of nodes) (columns[node.column] ??= []).push(node);
  const [gap, row, margin] = [132, 84, 12];
  let x = margin;
  for (const column of columns.filter(Boolean)) {
    const width = Math.max(...column.map((node) => Math.max(node.name.length * 7.6, (label(node).length * 6.6)) + 24), 96);
    column.forEach((node, index) => Object.assign(node, { x, y: margin + 20 + index * row, width, height: 48 }));
    x += width + gap;
  }
  const width = x - gap + margin;
  const height = margin * 2 + 20 + row * Math.max(...columns.filter(Boolean).map((column) => column.length), 1) - (row - 52);

  const root = svg('svg', {
    class: 'graph', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `${plural(nodes.length, 'element')}: ${nodes.map((node) => node.name).join(', ')}`,
  });
  for (const link of links) {
    const [x1, y1, x2, y2] = [link.from.x + link.from.width, link.from.y + 24, link.to.x, link.to.y + 24];
    const bend = (x2 - x1) / 2;
    root.append(svg('path', { class: 'link', d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2 - 5},${y2}` },
      svg('title', {}, `${link.from.name}.${link.fromPad} → ${link.to.name}.${link.toPad}\n${link.caps ?? 'nothing negotiated yet'}`)));
    root.append(svg('path', { class: 'arrow', d: `M${x2 - 7},${y2 - 4} L${x2},${y2} L${x2 - 7},${y2 + 4} Z` }));
    shorten(link.caps).forEach((text, index) => root.append(svg('text', {
      class: 'caps', x: x1 + 8, y: y1 - 18 + index * 12,
    }, text)));
  }
  for (const node of nodes) {
    root.append(svg('g', { class: node.bin ? 'node bin' : 'node' },
      svg('title', {}, [node.name, node.factory ?? 'bin', node.state ?? ''].join(' · ')),
      svg('rect', { x: node.x, y: node.y, width: node.width, height: node.height, rx: 6 }),
      svg('text', { class: 'name', x: node.x + 12, y: node.y + 20 }, node.name),
      svg('text', { class: 'factory', x: node.x + 12, y: node.y + 37 }, label(node))));
  }
  return root;
}

function label(node) {
  const factory = node.factory ?? 'bin';
  return node.inner > 0 ? `${factory} (${plural(node.inner, 'element')})` : factory;
}

/// The kind of media, and its size and rate.
function shorten(caps) {
  if (!caps) return [];
  const kind = caps.split(/[,;(]/)[0].trim();
  const find = (key) => caps.match(new RegExp(`[, ]${key}=\\([^)]*\\)([^,;]+)`))?.[1]?.replace(/"/g, '').trim();
  const [width, height, rate] = [find('width'), find('height'), find('framerate')];
  const size = width && height ? `${width}×${height}` : '';
  const pace = rate ? rate.replace(/\/1$/, '') : '';
  const sound = find('rate') && find('channels') ? `${find('rate')} Hz × ${find('channels')}` : '';
  return [kind, [size, pace && `${pace}/s`, sound].filter(Boolean).join(' ')].filter(Boolean);
}
