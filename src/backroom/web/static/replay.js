// Back through a game, move by move: the links and the slider of the panel "Wind back" without a new page, and a key
// that goes on by itself. Where one is stands in the address, so that it can be kept and sent.

import { load } from "./table.js";

const body = document.body;
const PAUSE = 1400; // milliseconds a move is looked at

let playing = 0;

function go(query) {
  body.dataset.replay = query;
  return load();
}

const key = () => document.querySelector("[data-key=wind-play]");
const next = () => document.querySelector("a[data-key=wind-3]");

function play() {
  if (!body.dataset.replay || !next()) return pause();
  go(new URL(next().href).search.slice(1));
}

function pause() {
  clearInterval(playing);
  playing = 0;
  draw();
}

/** The server draws the key for a page that stands still, and for a browser without this module. */
function draw() {
  const button = key();
  if (!button) return;
  button.disabled = false;
  button.setAttribute("aria-pressed", String(playing !== 0));
  button.setAttribute("aria-label", playing ? "Stop" : "Play");
  button.textContent = playing ? "■" : "▶";
  const slider = document.querySelector("[data-key=wind-slider]");
  slider.value = slider.getAttribute("value"); // what was dragged stays with the field else
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-key^=wind-]");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target === key()) {
    if (playing) return pause();
    playing = setInterval(play, PAUSE);
    play();
    draw();
  } else if (target.href) {
    event.preventDefault();
    if (playing) pause();
    go(new URL(target.href).search.slice(1));
  }
});

document.addEventListener("change", (event) => {
  if (event.target.dataset.key !== "wind-slider") return;
  if (playing) pause();
  go(new URLSearchParams(new FormData(event.target.form)).toString());
});

document.addEventListener("patched", () => {
  if (playing && !body.dataset.replay) pause();
  draw();
});
draw();
