// Pictures of the board, and files that the browser saves.

export function download(fileName, kind, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: kind }));
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A drawing with the styles written into every element, so that it needs no style sheet.
export function styled(svg) {
  const copy = svg.cloneNode(true);
  const kept = ['fill', 'stroke', 'stroke-width', 'opacity', 'font', 'text-anchor',
    'dominant-baseline', 'stroke-dasharray', 'stroke-linecap', 'paint-order'];
  const from = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((node, i) => {
    const style = getComputedStyle(from[i]);
    for (const key of kept) node.style.setProperty(key, style.getPropertyValue(key));
    node.removeAttribute('class');
  });
  for (const attribute of ['id', 'class', 'tabindex', 'role', 'aria-label']) copy.removeAttribute(attribute);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return copy;
}

// A picture of the board; without stones and marks, if `isEmpty`.
export function picture(svg, isEmpty = false) {
  const copy = styled(svg);
  if (isEmpty) copy.querySelectorAll(':scope > g ~ g').forEach(layer => layer.remove());
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  const wood = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  wood.setAttribute('width', width);
  wood.setAttribute('height', height);
  wood.setAttribute('fill', getComputedStyle(svg).backgroundColor);
  copy.prepend(wood);
  return new XMLSerializer().serializeToString(copy);
}

// An image of a drawing as text.
export async function imageOf(text) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}

export async function pixels(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const image = await imageOf(picture(svg));
  const canvas = Object.assign(document.createElement('canvas'), { width: width * 2, height: height * 2 });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(done => canvas.toBlob(done, 'image/png'));
}
