// "Tell me here": a page that is open in the background says when the lamp comes on over its chair, or when something
// else is asked. Only after a click on the button, which is kept for this browser; what it says is no secret.

import { read, write } from "./keep.js";

const body = document.body;
const key = `told:${body.dataset.table}`;

const wanted = () => read("tell") === "on" && window.Notification?.permission === "granted";
const button = () => document.querySelector("[data-tell]");

/** Whether something was asked when this page was last looked through, kept over a reload. */
function asking(now) {
  try {
    if (now !== undefined) sessionStorage.setItem(key, now ? "1" : "");
    return Boolean(sessionStorage.getItem(key));
  } catch {
    return false;
  }
}

/** The button as it stands in this browser; the server draws it hidden and off. */
function draw() {
  const place = button();
  if (!place || !window.Notification) return;
  place.hidden = false;
  const forbidden = Notification.permission === "denied";
  place.querySelector("[data-tell-state]").textContent = forbidden ? "no" : wanted() ? "on" : "off";
  if (forbidden)
    place.querySelector("[data-tell-words]").textContent = isSecureContext
      ? "this browser forbids it; its settings for this site can allow it"
      : "browsers allow it only where the address begins with https://";
  place.setAttribute("aria-pressed", String(wanted()));
}

const question = () => (body.classList.contains("your-turn") ? body.dataset.question : "");

// What was asked when this page was last looked through. Over a reload only that something was, never what.
let told = asking() ? question() : "";
let words = button()?.dataset.tell;

/** Once for each time that something is asked; whoever looks at the page needs not be told. */
function look() {
  words = button()?.dataset.tell ?? words;
  const asked = question();
  const before = told;
  told = asked;
  asking(Boolean(asked));
  if (!asked || asked === before || !document.hidden || !wanted()) return;
  try {
    const note = new Notification(words ?? document.title, { tag: body.dataset.table, icon: new URL("favicon.svg", import.meta.url).href });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch { /* some phones let only other kinds of pages do that */ }
}

document.addEventListener("click", async (event) => {
  if (!event.target.closest("[data-tell]")) return;
  const on = wanted();
  if (!on) await Notification.requestPermission();
  write("tell", on ? "off" : "on");
  draw();
});
document.addEventListener("patched", () => {
  draw();
  look();
});
draw();
look();
