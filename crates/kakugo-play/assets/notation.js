// Names of points: h8, rows from the bottom or from the top.

export function letters(x) {
  const letter = n => String.fromCharCode(97 + n % 26);
  return x < 26 ? letter(x) : letter(Math.floor(x / 26) - 1) + letter(x);
}

export function name([x, y], height, fromTop = false) {
  return letters(x) + (fromTop ? y + 1 : height - y);
}

export function names(points, height, fromTop = false) {
  return points.map(p => name(p, height, fromTop)).join(' ');
}

export function clock(ms, tenths = true) {
  if (tenths && ms < 10000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const two = n => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export function count(n) {
  if (n >= 1e9) return (n / 1e9).toFixed(1) + ' G';
  if (n >= 1e6) return (n / 1e6).toFixed(1) + ' M';
  if (n >= 1e3) return (n / 1e3).toFixed(0) + ' k';
  return String(n);
}
