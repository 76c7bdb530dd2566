// Things that can be dragged to a place, with a mouse: dropping is a click on the button there that takes the thing.
//
// A thing has data-drag="KEY" and draggable; a place has data-drop and in it a button data-puts="KEY". What is clicked
// can do all of it, too.

let dragged = "";

const placeOf = (event) => (dragged ? event.target.closest?.("[data-drop]") : null);
const button = (place) => place?.querySelector(`[data-puts="${CSS.escape(dragged)}"]`);

const unmark = () => {
  for (const place of document.querySelectorAll(".over")) place.classList.remove("over");
};

document.addEventListener("dragstart", (event) => {
  const thing = event.target.closest?.("[data-drag]");
  if (!thing) return;
  dragged = thing.dataset.drag;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", thing.textContent.trim());
});

document.addEventListener("dragover", (event) => {
  const place = placeOf(event);
  unmark();
  if (!button(place)) return;
  event.preventDefault();
  place.classList.add("over");
});

document.addEventListener("drop", (event) => {
  const taken = button(placeOf(event));
  unmark();
  if (!taken) return;
  event.preventDefault();
  taken.click();
});

document.addEventListener("dragend", () => {
  dragged = "";
  unmark();
});
