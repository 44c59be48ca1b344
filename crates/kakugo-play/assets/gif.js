// An encoder of animated GIFs. All frames share one palette.

const COLOURS = 256;
const MAX_CODES = 4096;

// Colours are grouped by their five high bits.
const group = colour => (colour >> 3 & 31) | (colour >> 11 & 31) << 5 | (colour >> 19 & 31) << 10;
const channels = colour => [colour & 255, colour >> 8 & 255, colour >> 16 & 255];

export class Gif {
  constructor(width, height) {
    Object.assign(this, { width, height, frames: [], before: null });
  }

  // Adds a frame of RGBA pixels, which is shown for some hundredths of a second. Only the part that differs
  // from the frame before is stored.
  add({ data }, delay) {
    const now = new Uint32Array(data.buffer);
    const { width, height, before } = this;
    let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1];
    for (let i = 0; before && i < now.length; i++) {
      if (now[i] === before[i]) continue;
      const [x, y] = [i % width, Math.floor(i / width)];
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
    this.before = now;
    // A frame without a change has one point.
    if (right < 0) [left, top, right, bottom] = [0, 0, 0, 0];
    const [w, h] = [right - left + 1, bottom - top + 1];
    const part = new Uint32Array(w * h);
    for (let y = 0; y < h; y++) {
      const from = (top + y) * width + left;
      part.set(now.subarray(from, from + w), y * w);
    }
    this.frames.push({ left, top, w, h, part, delay });
  }

  // The average colours of the largest groups.
  palette() {
    const groups = new Map();
    for (const { part } of this.frames) {
      for (const colour of part) {
        const key = group(colour);
        const sums = groups.get(key) ?? [0, 0, 0, 0];
        channels(colour).forEach((value, i) => { sums[i] += value; });
        sums[3] += 1;
        groups.set(key, sums);
      }
    }
    const largest = [...groups].sort(([, a], [, b]) => b[3] - a[3]).slice(0, COLOURS);
    const colours = largest.map(([, [r, g, b, count]]) => [r, g, b].map(sum => Math.round(sum / count)));
    const indices = new Map(largest.map(([key], i) => [key, i]));
    const nearest = colour => {
      const distance = other => channels(colour).reduce((sum, value, i) => sum + (value - other[i]) ** 2, 0);
      return colours.reduce((best, other, i) => (distance(other) < distance(colours[best]) ? i : best), 0);
    };
    const indexOf = colour => {
      const key = group(colour);
      if (!indices.has(key)) indices.set(key, nearest(colour));
      return indices.get(key);
    };
    return { colours, indexOf };
  }

  // The file.
  blob() {
    const { colours, indexOf } = this.palette();
    const word = value => [value & 255, value >> 8];
    const table = new Uint8Array(3 * COLOURS);
    colours.forEach((colour, i) => table.set(colour, 3 * i));
    const text = words => [...words].map(c => c.charCodeAt(0));
    const parts = [[...text('GIF89a'), ...word(this.width), ...word(this.height), 0xf7, 0, 0], table,
      // It is repeated without end.
      [0x21, 0xff, 11, ...text('NETSCAPE2.0'), 3, 1, 0, 0, 0]];
    for (const { left, top, w, h, part, delay } of this.frames) {
      parts.push([0x21, 0xf9, 4, 4, ...word(delay), 0, 0],
        [0x2c, ...word(left), ...word(top), ...word(w), ...word(h), 0, 8], compressed(Uint8Array.from(part, indexOf)));
    }
    parts.push([0x3b]);
    return new Blob(parts.map(part => Uint8Array.from(part)), { type: 'image/gif' });
  }
}

// Indices of eight bits as blocks of LZW codes.
function compressed(indices) {
  const bytes = [];
  const [clear, end] = [COLOURS, COLOURS + 1];
  let [bits, count, size, next] = [0, 0, 9, end + 1];
  let codes = new Map();
  const put = code => {
    bits |= code << count;
    for (count += size; count >= 8; count -= 8) {
      bytes.push(bits & 255);
      bits >>>= 8;
    }
  };
  put(clear);
  let prefix = indices[0];
  for (const index of indices.subarray(1)) {
    const key = prefix << 8 | index;
    const code = codes.get(key);
    if (code !== undefined) { prefix = code; continue; }
    put(prefix);
    codes.set(key, next);
    if (next === 1 << size && size < 12) size += 1;
    next += 1;
    if (next === MAX_CODES) {
      put(clear);
      [codes, size, next] = [new Map(), 9, end + 1];
    }
    prefix = index;
  }
  put(prefix);
  put(end);
  if (count) bytes.push(bits & 255);
  const blocks = [];
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}
