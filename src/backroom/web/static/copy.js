// A button that copies the field whose id it names: data-copy="ID".

const COPY_KEYS = matchMedia("(pointer: coarse)").matches ? "Hold it and copy" : /Mac/.test(navigator.userAgent) ? "Press ⌘C" : "Press Ctrl+C";

let copied = null;

function copy(id) {
  const field = document.getElementById(id);
  field.focus();
  field.select();
  const told = (done) => {
    copied = { id, words: ` ${done ? "Copied" : COPY_KEYS}` };
    showCopied();
  };
  // The clipboard exists on https and localhost only; what is selected can be copied everywhere.
  const selected = () => told(document.execCommand("copy"));
  if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(() => told(true), selected);
  else selected();
}

/** What became of the link that was copied, on its button; also when the page is drawn anew. */
export function showCopied() {
  if (copied) document.querySelector(`[data-copy="${copied.id}"]`)?.lastChild.replaceWith(copied.words);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button.dataset.copy);
});
