// Deeds told one at a time. The table stands as it is now; over it this shows what others did since, in order: the plate
// lights, the thing travels once, the sentence stays. It holds nobody up: the first tap or key at the table ends it. For
// the eye alone: the status and the log say the same to a screen reader.

import { read, write } from "./keep.js";
import { play } from "./sounds.js";

const LIGHT = 120;
const TRAVEL = 240;
const STAYS = { slow: 1500, usual: 700, "at once": 0 };
const MOST = 15_000; // in all, with the newest deeds
const { body } = document;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const seen = () => Number([...cells()].at(-1)?.dataset.deed ?? 0);

let known = seen(); // the newest deed that was on screen
let queue = []; // still to be told
let told = []; // of this telling
let running = null; // the timers' end
let teller = null;
let fly = null;

function cells(root = document) {
  return root.querySelectorAll("[data-deed]");
}

function pace() {
  const kept = read("pace");
  return kept in STAYS ? kept : "usual";
}

/** Whether the page that comes brings deeds that will be told: their cards then do not travel all together. */
export function tells(next) {
  return able() && [...cells(next)].some((cell) => Number(cell.dataset.deed) > known);
}

const able = () => !still.matches && pace() !== "at once" && !document.hidden;

// ---- when

document.addEventListener("patched", () => {
  const fresh = [...cells()].filter((cell) => Number(cell.dataset.deed) > known);
  known = Math.max(known, seen());
  showPace();
  if (body.classList.contains("over")) end();
  placeTeller();
  if (!fresh.length) return;
  if (!able() || body.dataset.draft) {
    end();
    play(soundOf(fresh.at(-1)));
    return;
  }
  queue.push(...fresh.map((cell) => cell.cloneNode(true)));
  const each = LIGHT + TRAVEL + STAYS[pace()];
  queue = queue.slice(-Math.floor(MOST / each));
  if (running) count();
  else begin();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".again, [data-tell-again], [data-tell-end], [data-pace]");
  if (!button) return;
  if (button.matches("[data-pace]")) {
    const names = Object.keys(STAYS);
    const next = names[(names.indexOf(pace()) + 1) % names.length];
    write("pace", next);
    showPace();
  } else if (button.matches("[data-tell-end]")) {
    end();
  } else if (!still.matches) {
    const cell = button.closest("[data-deed]");
    const again = cell ? [cell.cloneNode(true)] : [...told];
    end(false);
    queue = again;
    begin();
  }
});

// The first tap or key at the table ends it; what was tapped is done as ever.
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(
    kind,
    (event) => {
      if (!running || event.target.closest?.(".teller, .again, .bar, .records")) return;
      if (kind === "keydown" && ["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      end();
    },
    true,
  );
}
still.addEventListener("change", () => still.matches && end());
addEventListener("resize", placeTeller);
addEventListener("pagehide", () => end());
showPace();

// ---- how

function begin() {
  told = [];
  next();
}

function next() {
  clear();
  const cell = queue.shift();
  const stays = STAYS[pace()] || STAYS.usual;
  if (!cell) {
    end();
    return;
  }
  told.push(cell);
  const plate = plateOf(cell.dataset.seat);
  plate?.classList.add("telling");
  const strip = document.querySelector(`.sincebar:not([hidden]) [data-deed="${cell.dataset.deed}"]`);
  strip?.classList.add("now");
  strip?.scrollIntoView({ block: "nearest", inline: "nearest" });
  tell(cell);
  running = setTimeout(() => {
    travel(cell, plate);
    play(soundOf(cell));
    running = setTimeout(next, TRAVEL + stays);
  }, LIGHT);
}

function clear() {
  for (const lit of document.querySelectorAll(".telling, .sincebar .now")) lit.classList.remove("telling", "now");
  fly?.remove();
  fly = null;
}

/** Stop telling; the strip has all of it. */
function end(leave = true) {
  clearTimeout(running);
  running = null;
  queue = [];
  clear();
  if (!leave) return;
  const focused = teller?.contains(document.activeElement);
  teller?.remove();
  teller = null;
  if (focused) (document.querySelector("#deed .btn") ?? document.getElementById("status"))?.focus({ preventScroll: true });
}

const plateOf = (seat) => (seat ? document.querySelector(`.felt [data-key="seat-${seat}"], .felt [data-key="place-${seat}"], .felt [data-key="spot-${seat}"]`) : null);

function soundOf(cell) {
  if (!cell) return "";
  return cell.querySelector(".g") || !["", "card"].includes(cell.dataset.kind) ? "coin" : "card";
}

/** The sentence, and the buttons where the form of one's move lies. */
function tell(cell) {
  if (!teller) {
    teller = document.createElement("section");
    teller.className = `teller${document.querySelector(".sincebar.mono-seats") ? " mono-seats" : ""}`;
    teller.setAttribute("aria-label", "What the others did, shown one after another");
    const sentence = document.createElement("p");
    sentence.setAttribute("aria-hidden", "true");
    sentence.append(document.createElement("i"), document.createElement("span"), document.createElement("span"));
    sentence.lastChild.className = "of";
    const acts = document.createElement("div");
    acts.className = "acts";
    if (!body.dataset.forgets) acts.append(button("Again", "tellAgain", "plain small"));
    acts.append(button("", "pace", "quiet small"), button("", "tellEnd", "plain small"));
    teller.append(sentence, acts);
    body.append(teller);
    placeTeller();
    showPace();
  }
  const [mark, words] = teller.firstChild.children;
  mark.replaceWith(cell.querySelector(".mark")?.cloneNode(true) ?? document.createElement("i"));
  const copies = [".did2", ".came"].flatMap((part) => [...(cell.querySelector(part)?.childNodes ?? [])]);
  words.replaceChildren(...copies.map((node) => node.cloneNode(true)));
  teller.querySelector("[data-tell-end]").textContent = body.classList.contains("your-turn") ? "Skip to my turn" : "Skip";
  count();
}

function count() {
  const all = told.length + queue.length;
  teller.querySelector(".of").textContent = all > 1 ? `${told.length} of ${all}` : "";
}

function button(words, name, classes) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: `btn ${classes}`, textContent: words });
  made.dataset[name] = "";
  return made;
}

function showPace() {
  for (const one of document.querySelectorAll("[data-pace]")) {
    one.textContent = pace();
    one.setAttribute("aria-label", `Pace at which deeds are shown: ${pace()}`);
  }
}

/** Where the form of one's move lies, or would. */
function placeTeller() {
  if (!teller) return;
  const mine = document.getElementById("mine")?.getBoundingClientRect();
  const form = document.getElementById("deed")?.getBoundingClientRect();
  if (!mine) return;
  const held = document.querySelector("#mine .hand")?.getBoundingClientRect().bottom ?? 0; // it stays free
  const room = { left: mine.left + 10, width: mine.width - 20, top: Math.max(mine.bottom - 132, held + 8), height: 122 };
  const box = form?.height ? form : room;
  put(teller, { left: box.left + scrollX, top: box.top + scrollY, width: box.width, minHeight: box.height });
}

function put(element, places) {
  for (const [name, value] of Object.entries(places)) element.style[name] = `${value}px`;
}

const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** The thing travels once between the plate and where it lies, or the middle of the cloth. */
function travel(cell, plate) {
  const felt = document.querySelector(".felt");
  const cloth = (document.querySelector(".felt .cloth") ?? felt)?.getBoundingClientRect();
  if (!plate || !cloth) return;
  const { thing } = cell.dataset;
  const lies = thing ? [...felt.querySelectorAll(`[data-zone] [data-card="${CSS.escape(thing)}"]`)].at(-1) : null;
  const seenThere = lies?.getBoundingClientRect();
  const there = seenThere && seenThere.top >= cloth.top && seenThere.bottom <= cloth.bottom + 1 ? seenThere : cloth;
  const ways = [middle(plate.getBoundingClientRect()), middle(there)];
  const [from, to] = "takes" in cell.dataset ? ways.reverse() : ways;
  const over = felt.getBoundingClientRect();
  fly = document.createElement("div");
  fly.className = "fly";
  fly.setAttribute("aria-hidden", "true");
  put(fly, { left: over.left + scrollX, top: over.top + scrollY, width: over.width, height: over.height });
  const path = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  path.setAttribute("class", "path");
  for (let twice = 0; twice < 2; twice += 1) {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of [["x1", from.x - over.left], ["y1", from.y - over.top], ["x2", to.x - over.left], ["y2", to.y - over.top]]) line.setAttribute(name, value);
    path.append(line);
  }
  const flyer = document.createElement("span");
  flyer.className = "flyer";
  flyer.append(pictureOf(cell, lies));
  put(flyer, { left: to.x - over.left, top: to.y - over.top });
  fly.append(path, flyer);
  const gain = cell.querySelector(".g");
  if (gain) {
    const sign = Object.assign(document.createElement("span"), { className: "gainp", textContent: gain.textContent });
    const at = middle(plate.getBoundingClientRect());
    put(sign, { left: at.x - over.left, top: at.y - over.top });
    fly.append(sign);
  }
  body.append(fly);
  flyer.animate(
    [{ left: `${from.x - over.left}px`, top: `${from.y - over.top}px` }, { left: `${to.x - over.left}px`, top: `${to.y - over.top}px` }],
    { duration: TRAVEL, easing: "ease-out" },
  );
}

/** A copy of the card as it lies on the table, else of its emblem in the sentence, else a coin. */
function pictureOf(cell, lies) {
  const copy = (lies ?? cell.querySelector(".did2 .chip, .did2 .inline-emblem"))?.cloneNode(true);
  if (!copy) return Object.assign(document.createElement("span"), { className: "coin" });
  for (const one of [copy, ...copy.querySelectorAll("*")]) for (const name of ["id", "data-key", "data-card", "data-about", "style"]) one.removeAttribute(name);
  return copy;
}
