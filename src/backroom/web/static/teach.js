// Teaching at the table: what was put away stays away in this browser, a card explains itself, the rulebook opens in its tab.

import { read, write } from "./keep.js";

const REST = 400; // milliseconds on a card before it is explained
const PRESS = 500; // and of a finger

const { body } = document;
const { game } = body.dataset;
const root = document.documentElement;

let kept = { [game]: {} };
try {
  kept = JSON.parse(read("taught") ?? "{}");
} catch { /* not ours: taught anew */ }
const mine = () => (kept[game] ??= {});

const keep = () => write("taught", JSON.stringify(kept));

// ---- the aim, and one sentence at a time

function coach() {
  const note = document.querySelector("[data-coach]");
  if (note) {
    const hints = [...note.querySelectorAll("[data-hint]")];
    const aim = document.querySelector("[data-aim]")?.getClientRects().length; // one thing at a time
    const hint = kept.quiet || aim ? null : hints.find((one) => !mine().hints?.includes(one.dataset.hint));
    for (const one of hints) one.hidden = one !== hint;
    note.hidden = !hint;
    for (const old of document.querySelectorAll(".about")) old.classList.remove("about");
    if (hint) beside(note, hint.dataset.hintAbout);
  }
  const again = document.querySelector("[data-hints-again]");
  if (again) again.hidden = !(kept.quiet || mine().hints?.length || mine().aim);
}

/** The ring around what a sentence is about, and the tip of its note under it. */
function beside(note, about) {
  const thing = about ? document.querySelector(`#mine [data-about~="${CSS.escape(about)}"]`) : null;
  thing?.closest(".grp, .card")?.classList.add("about");
  const box = note.offsetParent?.getBoundingClientRect();
  if (!box) return;
  const place = (thing ?? note.parentElement.querySelector(".mine-head")).getBoundingClientRect();
  const at = place.left - box.left;
  const left = Math.max(8, Math.min(at - 24, box.width - note.offsetWidth - 8));
  // What was done since one's move stays in sight: the note stands above it.
  const strip = document.querySelector(".sincebar:not([hidden])")?.getBoundingClientRect();
  const above = strip?.height && strip.bottom > place.top - note.offsetHeight - 12 ? Math.min(place.top, strip.top) : place.top;
  note.style.bottom = `${box.bottom - above + (thing ? 12 : 4)}px`;
  note.style.left = `${left}px`;
  note.style.setProperty("--tip", `${Math.max(14, Math.min(at - left + 12, note.offsetWidth - 34))}px`);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-put-away], [data-hints-again]");
  if (!button) return;
  if (button.dataset.putAway === "aim") {
    mine().aim = true;
    root.classList.add("knows-aim");
  } else if (button.dataset.putAway === "hint") {
    const shown = document.querySelector("[data-hint]:not([hidden])");
    if (shown) (mine().hints ??= []).push(shown.dataset.hint);
  } else if (button.dataset.putAway === "hints") {
    kept.quiet = true;
  } else {
    kept.quiet = false;
    kept[game] = {};
    root.classList.remove("knows-aim");
  }
  keep();
  coach();
  if (button.closest("[hidden]") || !button.getClientRects().length) document.getElementById("mine")?.focus({ preventScroll: true });
});

// ---- a card explained, by what the crib says

let open = null; // the note that explains, the thing that it explains, and what that was then
let timer = 0;

const entryOf = (thing) => document.querySelector(`[data-explains~="${CSS.escape(thing.dataset.about)}"]`);

function describe() {
  for (const thing of document.querySelectorAll("button[data-about]")) {
    const told = entryOf(thing)?.querySelector("small");
    if (!told) continue;
    told.id ||= `says-${thing.dataset.about}`;
    thing.setAttribute("aria-describedby", told.id);
  }
}

function explain(thing) {
  away();
  const entry = entryOf(thing);
  if (!entry || !thing.getClientRects().length) return;
  const note = document.createElement("div");
  note.className = "explain";
  note.setAttribute("role", "tooltip");
  const words = document.createElement("div");
  const add = (name, text, kind = "") => {
    const line = document.createElement(name);
    line.textContent = text;
    line.className = kind;
    words.append(line);
    return line;
  };
  add("h3", entry.querySelector("b").textContent);
  const gain = entry.querySelector(".gain");
  const what = add("p", entry.querySelector("small").textContent);
  if (gain) {
    const pays = document.createElement("b");
    const [figure, each] = [gain.firstChild.textContent.trim(), gain.querySelector("small")?.textContent];
    pays.textContent = ` ${figure}${each ? ` ${each}` : ""}`;
    what.append(pays);
  }
  const standing = document.querySelector(`[data-standing="${CSS.escape(entry.dataset.explains.split(" ")[0])}"]`);
  if (standing) add("p", standing.textContent, "now2");
  const rule = entry.querySelector("[data-rule]")?.dataset.rule;
  if (rule) add("p", rule, "ids");
  const card = thing.closest(".card")?.cloneNode(true);
  if (card) {
    const drawn = document.createElement("span");
    drawn.className = card.className.replace(/\b(can|about|picked|on)\b/g, "");
    drawn.setAttribute("aria-hidden", "true");
    drawn.append(...card.childNodes);
    // A card with two sides has a button for each, which is nothing to press here.
    for (const button of drawn.querySelectorAll("button")) {
      const side = document.createElement("span");
      side.className = button.className;
      side.append(...button.childNodes);
      button.replaceWith(side);
    }
    note.append(drawn);
  } else note.classList.add("bare");
  note.append(words);
  body.append(note);
  open = { note, thing, about: thing.dataset.about };
  const at = thing.getBoundingClientRect();
  const wide = document.documentElement.clientWidth;
  const left = Math.max(10, Math.min(at.left + at.width / 2 - 60, wide - note.offsetWidth - 10));
  const above = at.top - note.offsetHeight - 14;
  note.style.left = `${left}px`;
  note.style.top = `${above >= 6 ? above : at.bottom + 14}px`;
  note.classList.toggle("below", above < 6);
  note.style.setProperty("--tip", `${Math.max(12, at.left + at.width / 2 - left - 9)}px`);
}

function away() {
  clearTimeout(timer);
  open?.note.remove();
  open = null;
}

/** The table has changed: an explanation goes with its card, or to where its card is now. */
function follow() {
  const { thing, about } = open;
  if (thing.dataset.about === about) explain(thing);
  else away();
}

const thingOf = (event) => event.target.closest?.("[data-about]");

document.addEventListener("pointerover", (event) => {
  const thing = event.pointerType === "mouse" && thingOf(event);
  if (!thing) return;
  clearTimeout(timer);
  timer = setTimeout(() => explain(thing), REST);
});
document.addEventListener("pointerout", (event) => event.pointerType === "mouse" && thingOf(event) && away());
document.addEventListener("pointerdown", (event) => {
  away();
  const thing = event.pointerType !== "mouse" && thingOf(event);
  if (!thing) return;
  timer = setTimeout(() => {
    explain(thing);
    // The finger that asked does not choose, too.
    thing.addEventListener("click", (chosen) => {
      chosen.preventDefault();
      chosen.stopPropagation();
    }, { capture: true, once: true });
  }, PRESS);
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => event.pointerType !== "mouse" && !open && clearTimeout(timer));
document.addEventListener("contextmenu", (event) => open && thingOf(event) && event.preventDefault());
document.addEventListener("keydown", (event) => {
  const thing = event.key === "F1" && thingOf(event);
  if (thing && entryOf(thing)) {
    event.preventDefault();
    explain(thing);
  } else if (event.key === "Escape") away();
});
document.addEventListener("focusout", away);
addEventListener("scroll", away, { passive: true, capture: true });

// ---- the rulebook in its tab

const book = document.querySelector("[data-book]");
let loading = null;

async function load() {
  const answer = await fetch(book.dataset.book, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const text = book.querySelector("[data-book-text]");
  text.replaceChildren(...page.getElementById("text").childNodes);
  for (const heading of text.querySelectorAll("h1")) heading.remove();
  for (const link of text.querySelectorAll("a.id")) link.removeAttribute("href");
  book.querySelector("[data-book-page]").hidden = false;
}

async function openBook(rule) {
  try {
    await (loading ??= load());
  } catch {
    loading = null;
    location.href = book.dataset.book + (rule ? `#${rule}` : "");
    return;
  }
  for (const tab of document.querySelectorAll("#t-rules,#s-rules")) if (!tab.checked) tab.click(); // on a desk, on a phone
  if (rule) {
    find("");
    const at = document.getElementById(rule);
    for (const old of book.querySelectorAll(".aim")) old.classList.remove("aim");
    at?.classList.add("aim");
    at?.scrollIntoView({ block: "nearest" });
    book.querySelector("[data-book-text]").focus({ preventScroll: true });
  } else book.querySelector("input").focus();
}

/** Show only the rules in which all the words stand. */
function find(text) {
  const field = book.querySelector("input");
  if (field.value !== text) field.value = text;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const block of book.querySelector("[data-book-text]").children) {
    const whole = block.textContent.toLowerCase();
    const wanted = words.every((word) => whole.includes(word));
    block.hidden = words.length > 0 && !(wanted && block.matches(".rule, .between"));
    if (wanted && block.matches(".rule")) found += 1;
  }
  book.querySelector("[data-book-found]").textContent = words.length ? `${found || "No"} ${found === 1 ? "rule mentions" : "rules mention"} it.` : "";
}

if (book) {
  book.querySelector("input").addEventListener("input", (event) => find(event.target.value));
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest?.("[data-open-book], .log a.why, .last a.why, .ask a.why");
    if (!link) return;
    event.preventDefault();
    openBook(new URL(link.href).hash.slice(1));
  });
}

function look() {
  coach();
  describe();
  if (open) follow();
}
document.addEventListener("patched", look);
addEventListener("resize", () => {
  away();
  coach();
});
look();
