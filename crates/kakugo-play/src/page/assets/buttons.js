// A part of a row that answers to a click anywhere: keys and screen readers find the row by it.
export function linkButton(className) {
  return Object.assign(document.createElement('button'), { type: 'button', className: `link ${className}` });
}
