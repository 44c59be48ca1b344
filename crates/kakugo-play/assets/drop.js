// Files and texts that are dropped on the page or pasted.

const isField = node => node instanceof Element
  && node.closest('input:not([type=checkbox], [type=radio]), textarea, [contenteditable]');
const brings = event => ['Files', 'text/plain'].some(type => event.dataTransfer.types.includes(type));
const showDrop = on => document.body.toggleAttribute('data-drop', on);

// `takes` returns true if something may be opened now, `open` gets a file or a text; `refuseSeveral` is called
// instead if there are several files.
export function acceptDrops(takes, open, refuseSeveral) {
  const openFrom = data => {
    const [file, another] = data.files;
    const text = data.getData('text/plain');
    if (another) refuseSeveral();
    else if (file) open(file);
    else if (text.trim()) open(text);
  };
  addEventListener('dragover', event => {
    if (isField(event.target) || !brings(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = takes() ? 'copy' : 'none';
    showDrop(takes());
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) showDrop(false); });
  addEventListener('drop', event => {
    showDrop(false);
    if (isField(event.target) || !brings(event)) return;
    event.preventDefault();
    if (takes()) openFrom(event.dataTransfer);
  });
  addEventListener('paste', event => {
    if (isField(event.target) || !takes()) return;
    event.preventDefault();
    openFrom(event.clipboardData);
  });
}
