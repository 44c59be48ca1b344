// A button within a clickable row, for keyboards and screen readers.
export function linkButton(className) {
  return Object.assign(document.createElement('button'), { type: 'button', className: `link ${className}` });
}
