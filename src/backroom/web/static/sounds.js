// Soft sounds, made here: off until they are switched on, kept for this browser.

import { read, write } from "./keep.js";

const { body } = document;
/** By sound: notes as hertz, when they begin and how long they last, in seconds, and the shape of the wave. */
const NOTES = {
  turn: [[523, 0, 0.5, "sine"], [784, 0.14, 0.7, "sine"]],
  card: [[190, 0, 0.07, "triangle"]],
  coin: [[1320, 0, 0.18, "sine"], [1760, 0.05, 0.22, "sine"]],
  end: [[392, 0, 0.7, "sine"], [523, 0.16, 0.7, "sine"], [659, 0.32, 1.1, "sine"]],
};
const LOUD = 0.06;

let audio = null;
let asked = stage();

const wanted = () => read("sounds") === "on";

/** Play a sound, if this browser wants any; a page that nobody has touched yet must not sound, and does not. */
export function play(name) {
  if (!NOTES[name] || !wanted() || !window.AudioContext) return;
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  audio ??= new AudioContext();
  audio.resume().catch(() => {});
  for (const [pitch, after, lasts, type] of NOTES[name]) {
    const begins = audio.currentTime + after;
    const wave = new OscillatorNode(audio, { frequency: pitch, type });
    const loudness = new GainNode(audio, { gain: 0 });
    loudness.gain.setValueAtTime(0, begins);
    loudness.gain.linearRampToValueAtTime(LOUD, begins + 0.012);
    loudness.gain.exponentialRampToValueAtTime(0.0001, begins + lasts);
    wave.connect(loudness).connect(audio.destination);
    wave.start(begins);
    wave.stop(begins + lasts);
  }
}

/** What would be told of: whose turn it is, or that it is over. */
function stage() {
  return body.classList.contains("over") ? "end" : body.classList.contains("your-turn") ? `turn ${body.dataset.question}` : "";
}

function show() {
  for (const button of document.querySelectorAll("[data-sound-switch]")) button.setAttribute("aria-pressed", wanted());
}

document.addEventListener("patched", () => {
  show();
  const now = stage();
  if (now && now !== asked) play(now.split(" ")[0]);
  asked = now;
});

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-sound-switch]")) return;
  write("sounds", wanted() ? "off" : "on");
  show();
  play("coin");
});

show();
