// One table: listen for changes, fetch the page again, and change only what differs.
//
// The server draws everything. What this module holds is the text of the move in preparation and whether there is a
// line to the server; it never guesses what a move will do. Clicking is typing: a button named "draft" carries the
// text that the move has after the click.

import { showCopied } from "./copy.js";
import { read, write } from "./keep.js";
import { listen, look } from "./line.js";
import { tells } from "./telling.js";
import { duration, settle, tick, write as put } from "./times.js";

const body = document.body;
const address = `/t/${body.dataset.table}`;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let draft = body.dataset.draft;
let changed = new URLSearchParams(location.search).has("draft"); // the draft on screen is newer than what the server keeps
let typing = false;
let loading = null;
let again = false;
let sending = false;

// ---- the page, fetched and patched

const WAIT = 30_000; // for an answer: a connection that a router has forgotten gives none
const FRESH = 60_000; // so long what is on screen says rightly enough who is there

let kept = { query: null, tag: "", at: 0 }; // what is on screen
let patience = new AbortController();

/** Fetch the page as it is now and patch the one on screen; calls while one is under way are answered by one more.
 *
 * The server is asked for what has changed since; `whole` is for what no tag tells, who is there.
 */
export function load(whole = false) {
  if (whole) kept.tag = "";
  if (loading) {
    again = true;
    return loading;
  }
  loading = fetchPage().finally(() => {
    loading = null;
    if (again) {
      again = false;
      load();
    }
  });
  return loading;
}

async function fetchPage() {
  const asked = draft;
  const { replay, prepare, question } = body.dataset;
  const query = new URLSearchParams(replay);
  if (prepare) query.set("prepare", prepare);
  if (changed || prepare) for (const [name, value] of Object.entries({ draft, question })) query.set(name, value);
  const known = kept.query === `${query}` && Date.now() - kept.at < FRESH ? kept.tag : "";
  const headers = known ? { Accept: "text/html", "If-None-Match": known } : { Accept: "text/html" };
  patience = new AbortController();
  const answer = await ask(`${location.pathname}?${query}`, { headers, signal: patience.signal });
  if (!answer) return;
  if (answer.status === 304) {
    tick();
    since();
    talkDot();
    return;
  }
  if (answer.status === 404) {
    location.reload();
    return;
  }
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) {
    refuse(next.querySelector(".trouble p")?.textContent ?? `The server answered ${answer.status} ${answer.statusText}.`);
    return;
  }
  if (next.body.dataset.page !== body.dataset.page || next.body.dataset.chair !== body.dataset.chair) {
    location.reload();
    return;
  }
  if (asked !== draft || replay !== body.dataset.replay) {
    again = true;
    return;
  }
  kept = { query: `${query}`, tag: answer.headers.get("ETag") ?? "", at: Date.now() };
  if (next.body.dataset.question !== body.dataset.question) changed = false;
  // It is one's turn meanwhile: what was being prepared goes on as its move.
  else if (prepare && !next.body.dataset.prepare && draft) changed = true;
  await show(next);
}

/** Ask the server; null when no whole answer came. Any answer at all shows that there is a line. */
async function ask(url, options) {
  const end = new AbortController();
  options.signal?.addEventListener("abort", () => end.abort());
  const timer = setTimeout(() => end.abort(), heard ? WAIT : WAIT / 6);
  let answer = null;
  try {
    const begun = await fetch(url, { credentials: "same-origin", cache: "no-store", ...options, signal: end.signal });
    settle(begun.headers.get("Date"));
    // The line may go in the middle of an answer, too: it counts when all of it has come.
    const whole = await begun.arrayBuffer();
    answer = new Response(whole.byteLength ? whole : null, begun);
  } catch { /* there is no line */ } finally {
    clearTimeout(timer);
  }
  reached(answer !== null && answer.status < 502);
  return answer?.status < 502 ? answer : null;
}

async function problem(answer) {
  try {
    const told = await answer.clone().json();
    return { code: told.code ?? "", message: told.message ?? told.detail ?? answer.statusText };
  } catch {
    return { code: "", message: `the server answered ${answer.status} ${answer.statusText}` };
  }
}

let latest = null;

function unname() {
  for (const card of document.querySelectorAll("[data-card],[data-fan],[data-deck]")) card.style.viewTransitionName = "";
}

async function show(next) {
  const all = travel(next);
  // Where deeds of others are told one at a time, their cards do not travel together: only those of one's own hand do.
  const plan = tells(next) ? all.filter(([card, , zone]) => zone === "hand" || card.closest('[data-zone="hand"]')) : all;
  const change = () => {
    for (const [card] of plan) if (card) card.style.viewTransitionName = "";
    patch(next);
    arrive(plan);
  };
  if (!document.startViewTransition || still.matches || document.hidden || !plan.length) {
    patch(next);
    return;
  }
  unname(); // an earlier one may still be on its way
  plan.forEach(([card], number) => {
    if (card) card.style.viewTransitionName = `card-${number}`;
  });
  const transition = document.startViewTransition(change);
  latest = transition;
  transition.ready.catch(() => {});
  transition.finished.finally(() => latest === transition && unname());
  await transition.updateCallbackDone;
}

function patch(next) {
  const focused = document.activeElement?.closest?.("[data-key],[id]");
  const where = focused && { key: focused.dataset.key, id: focused.id, region: focused.closest("[data-region]")?.dataset.region };
  const older = body.dataset.ply;
  const status = document.getElementById("status").textContent;
  for (const region of document.querySelectorAll("[data-region]")) {
    const wanted = next.querySelector(`[data-region="${region.dataset.region}"]`);
    if (wanted) morph(region, wanted);
  }
  document.title = next.title;
  document.getElementById("icon").href = next.getElementById("icon").getAttribute("href");
  body.className = next.body.className;
  for (const name of ["ply", "revision", "own", "question", "prepare", "replay", "forgets", "record"]) body.dataset[name] = next.body.dataset[name] ?? "";
  if (!document.getElementById("mv")) typing = false;
  if (!typing) {
    draft = body.dataset.draft = next.body.dataset.draft;
    const slip = document.getElementById("mv");
    if (slip && slip.value !== draft) slip.value = draft;
  }
  const { replay, prepare } = body.dataset;
  const search = replay ? `?${replay}` : prepare && `?${new URLSearchParams({ prepare: 1, draft })}`;
  if (search || location.search) history.replaceState(null, "", location.pathname + search); // a reload goes on with it
  refuse(body.dataset.ply === older ? refusal : "");
  place();
  tick();
  since();
  talkDot();
  showCopied();
  if (body.dataset.ply !== older && document.getElementById("status").textContent === status) sayAgain();
  document.dispatchEvent(new Event("patched"));
  record();
  if (where && document.activeElement === body) refocus(where);
}

/** A match that one has played is over: it goes into one's record. */
function record() {
  if (body.dataset.record) import("./record.js");
}

/** One's turn came again at once, in the same words: what has not changed is not read out. */
function sayAgain() {
  const place = document.querySelector("[data-again]");
  if (!place || !body.classList.contains("your-turn")) return;
  place.textContent = "";
  setTimeout(() => (place.textContent = `${document.querySelector("#status h2").textContent}, again.`), 150);
}

/** Where keyboard focus goes when what had it is gone: its successor, else the move, else the status. */
function refocus({ key, id, region }) {
  const successor =
    (id && document.getElementById(id)) ||
    (key && document.querySelector(`[data-key="${CSS.escape(key)}"]`)) ||
    (region === "mine" && document.querySelector("#deed .btn")) ||
    document.getElementById("status");
  successor?.focus({ preventScroll: true });
}

/** Make `from` equal to `to`, keeping every node that can be kept: focus, half-made inputs, opened details survive. */
function morph(from, to) {
  if (from.nodeType === Node.TEXT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  if (from.nodeType !== Node.ELEMENT_NODE) return;
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && name !== "style" && name !== "open") from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  const keyed = new Map([...from.children].filter(keyOf).map((child) => [keyOf(child), child]));
  const staying = new Set([...to.children].map(keyOf));
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    // What goes leaves first: else all that stays behind it would be moved, and read out again.
    while (at && keyOf(at) && !staying.has(keyOf(at))) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    const key = keyOf(wanted);
    const kept = key ? keyed.get(key) : at && !keyOf(at) && alike(at, wanted) ? at : null;
    if (kept && alike(kept, wanted)) {
      if (kept === at) at = at.nextSibling;
      else from.insertBefore(kept, at);
      morph(kept, wanted);
    } else {
      from.insertBefore(document.importNode(wanted, true), at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE && (node.dataset?.key || node.id)) || "";
const alike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName;

/** Numbers that the strict content policy keeps out of style attributes: data-style="name:value;..." */
function place() {
  for (const element of document.querySelectorAll("[data-style]")) {
    for (const rule of element.dataset.style.split(";")) {
      const [name, value] = rule.split(":").map((part) => part.trim());
      if (name) element.style.setProperty(name, value);
    }
  }
}

// ---- cards that travel. A card has no identity but its face and its place, both of which this viewer sees anyway.

function cardsByFace(root) {
  const found = new Map();
  for (const zone of root.querySelectorAll("[data-zone]")) {
    for (const card of zone.querySelectorAll("[data-card]")) {
      const name = `${card.dataset.card}|${zone.dataset.zone}`;
      found.set(name, [...(found.get(name) ?? []), card]);
    }
  }
  return found;
}

/** For each card that changes its zone: the element before, how to find it afterwards, the zone it comes to (if to one). */
function travel(next) {
  const before = cardsByFace(document);
  const after = cardsByFace(next);
  const leaving = [];
  const arriving = [];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [face, zone] = name.split("|");
    const had = before.get(name) ?? [];
    const has = (after.get(name) ?? []).length;
    had.slice(has).forEach((card) => leaving.push({ face, zone, card }));
    for (let at = had.length; at < has; at += 1) arriving.push({ face, zone, at });
  }
  const plan = [];
  for (const { face, zone, at } of arriving) {
    const source = leaving.findIndex((gone) => gone.face === face && gone.card.getClientRects().length);
    const find = () => cardsByFace(document).get(`${face}|${zone}`)?.[at];
    if (source >= 0) plan.push([leaving.splice(source, 1)[0].card, find, zone]);
    else if (!plan.some(([card]) => card?.dataset.deck !== undefined)) plan.push([document.querySelector("[data-deck]"), find, zone]);
  }
  // What left for a hand that is face down goes to the fan that grew; one card may stand for all.
  for (const fan of next.querySelectorAll("[data-fan]")) {
    const now = document.querySelector(`[data-fan="${fan.dataset.fan}"]`);
    if (!now || Number(fan.dataset.cards) <= Number(now.dataset.cards)) continue;
    const gone = leaving.pop();
    if (gone) plan.push([gone.card, () => document.querySelector(`[data-fan="${fan.dataset.fan}"]`)]);
  }
  return plan.filter(([card]) => card).slice(0, 16);
}

function arrive(plan) {
  plan.forEach(([, find], number) => {
    const card = find();
    if (card) card.style.viewTransitionName = `card-${number}`;
  });
}

// ---- the line to the server: the stream of events, and whether what was asked was answered

let heard = true; // the stream is open, and the server gives signs of life
let sign = Date.now(); // the last of them
let answered = true; // the last question was
let lostAt = null;

function reached(well) {
  answered = well;
  if (well) sign = Date.now();
  showLine();
}

function showLine() {
  lostAt = heard && answered ? null : (lostAt ?? Date.now());
  const lost = !answered && Date.now() - lostAt > 1500;
  document.querySelector("[data-no-line]").hidden = !lost;
  body.classList.toggle("lost", lost);
  const ago = duration((Date.now() - sign) / 1000);
  const badge = document.querySelector("[data-line]");
  badge.classList.toggle("lost", lostAt !== null);
  badge.title = lostAt === null ? "" : `Nothing heard for ${ago}`;
  put(badge.querySelector("span"), lostAt === null ? "here" : lost ? "no line" : "looking");
  put(document.querySelector("[data-heard]"), lost ? `The last that was heard is ${ago} old.` : "");
}

/** What the stream says of this table: only what is not on screen yet is fetched. */
function news(kind, said) {
  if (kind === "ping") load(true); // somebody came or went
  else if (kind === "table" ? said.revision > Number(body.dataset.revision) : said.own !== body.dataset.own) load();
}

function line(open, last) {
  const back = open && !heard;
  heard = open;
  sign = Math.max(sign, last);
  if (back && loading) patience.abort(); // it may wait on a connection that is dead
  if (back) load();
  showLine();
}

// A page that slept or lost the network looks again as soon as it can.
addEventListener("online", () => {
  look();
  load();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  look();
  load();
});
setInterval(() => lostAt !== null && load(), 3000);
// Where the rules forbid looking back, the browser keeps a page it may bring back without what was on it.
addEventListener("pagehide", () => {
  if (!body.dataset.forgets) return;
  for (const region of document.querySelectorAll("[data-region]:not([data-region=tools])")) region.replaceChildren();
});

// ---- the move in preparation

let pause = 0;

/** The text of the move is now this: show what it means, and keep it on the server for other devices. */
async function prepare(text) {
  draft = body.dataset.draft = text;
  changed = true;
  refuse("");
  clearTimeout(pause);
  await load();
  pause = setTimeout(keep, 300);
}

async function keep() {
  if (!changed || sending || body.dataset.prepare) return;
  const kept = draft;
  const answer = await ask(`${address}/draft`, json({ text: kept, ply: Number(body.dataset.ply) }));
  if (answer?.ok && kept === draft) changed = false;
}

function json(value) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(value),
  };
}

/** An id of one's own for a request. (crypto.randomUUID exists on https and localhost only.) */
function freshId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

let refusal = "";

function refuse(message) {
  refusal = message;
  const place = document.querySelector("[data-refused]");
  if (!place) return;
  place.hidden = !message || document.querySelector("[data-problem]") !== null; // one line: that one says it already
  place.textContent = message;
}

const say = (message) => (document.querySelector("[data-refused]") ? refuse(message) : window.alert(message));

document.addEventListener("click", (event) => {
  const button = event.target.closest("button,[aria-disabled=true]");
  if (!button) return;
  if (button.getAttribute("aria-disabled") === "true") {
    event.preventDefault();
    if (button.dataset.key === "commit") document.getElementById("mv")?.focus();
    return;
  }
  if (button.name === "draft" && button.getAttribute("form") === "picks") {
    event.preventDefault();
    typing = false;
    prepare(button.value);
  } else if (button.dataset.lay) {
    lay(button.dataset.lay);
  }
});

let keystroke = 0;
document.addEventListener("input", (event) => {
  if (event.target.id !== "mv") return;
  typing = true;
  clearTimeout(keystroke);
  keystroke = setTimeout(() => prepare(event.target.value), 180);
});
document.addEventListener("focusout", (event) => {
  if (event.target.id === "mv") typing = false;
});
document.addEventListener("keydown", (event) => {
  const slip = document.getElementById("mv");
  if (event.key === "?" && !event.target.closest("input,textarea,select")) {
    showKeys();
    return;
  }
  if (event.key === "Enter" && event.target === slip && !event.isComposing) {
    event.preventDefault();
    move(slip.value);
    return;
  }
  if (event.key !== "Escape" || lay("table") || !draft) return;
  if (slip) slip.value = "";
  typing = false;
  prepare("");
});

// ---- sending. Every request carries the table's newest entry, as ply, when it was decided on, and an id of its own, so nothing is done twice.

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "deed" || form.id === "instead") {
    event.preventDefault();
    move((form.elements.move ?? form.elements.text).value);
  } else if ("post" in form.dataset) {
    event.preventDefault();
    if (!form.dataset.confirm || window.confirm(form.dataset.confirm)) post(form, event.submitter);
  }
});

async function move(text) {
  const form = document.getElementById("deed");
  if (sending) return;
  if (!text.trim()) {
    document.getElementById("mv").focus();
    return;
  }
  sending = true;
  clearTimeout(keystroke);
  clearTimeout(pause);
  form.setAttribute("aria-busy", "true");
  const ply = Number(body.dataset.ply);
  const planned = Boolean(body.dataset.prepare);
  let answer = null;
  try {
    const sent = json(planned ? { text, ply, condition: form.elements.condition.value } : { move: text, ply, move_id: freshId() });
    for (let tries = 0; !answer && tries < 5; tries += 1) {
      // The same id again: if the first try arrived after all, the server says so and does nothing twice.
      if (tries) await new Promise((done) => setTimeout(done, 700 * tries));
      answer = await ask(`${address}/${planned ? "plan" : "move"}`, sent);
    }
  } finally {
    sending = false;
    form.removeAttribute("aria-busy");
  }
  if (!answer) {
    refuse("The move was not sent: there is no line. It is still here; send it again when the line is back.");
    return;
  }
  if (answer.ok) {
    const typed = document.activeElement?.id === "mv";
    typing = false;
    changed = false;
    draft = "";
    lay("table");
    if (planned) body.dataset.prepare = "";
    await load();
    // What comes next is said there; whoever types stays in the field while there is one.
    if (!typed || !document.getElementById("mv")) document.getElementById("status")?.focus({ preventScroll: true });
    return;
  }
  const { code, message } = await problem(answer);
  if (document.getElementById("mv")?.value === text && text !== draft) {
    draft = text; // typed and sent at once: the page is to speak of this text, not of the one before
    changed = true;
  }
  await load();
  refuse([code, message].filter(Boolean).join(": "));
}

async function post(form, submitter) {
  const values = Object.fromEntries(new FormData(form));
  if (submitter?.name) values[submitter.name] = submitter.value; // FormData takes the submitter only in newer browsers
  for (const field of form.querySelectorAll("[data-fresh-id]")) values[field.name] = freshId();
  if ("ply" in values) values.ply = Number(body.dataset.ply);
  if ("chair" in values) values.chair = Number(values.chair);
  for (const name of ["agree", "on"]) if (name in values) values[name] = values[name] === "true";
  const answer = await ask(new URL(form.action).pathname, json(values));
  if (!answer) {
    say("This was not sent: there is no line. Try it again when the line is back.");
    return;
  }
  if (!answer.ok) {
    const { code, message } = await problem(answer);
    say([code, message].filter(Boolean).join(": "));
    return;
  }
  if ("clear" in form.dataset) form.reset();
  if ("notes" in form.dataset) submitter?.replaceChildren("Kept");
  load();
}

// ---- records: what happened since this page was last looked at, and talk not yet read

const seenKey = `seen:${body.dataset.table}`;
const lastSeen = Number(read(seenKey) ?? -1);

/** A line in the log where this device stopped looking. */
function since() {
  if (body.dataset.replay) return;
  const lines = [...document.querySelectorAll("[role=log] li[data-move]")];
  if (!lines.length) return;
  const old = lines.find((item) => Number(item.dataset.move) <= lastSeen);
  const marks = document.querySelector("ol.log");
  if (marks && lastSeen >= 0 && old && old !== lines[0] && !document.querySelector("[data-since]")) {
    const item = document.createElement("li");
    item.dataset.since = "";
    item.dataset.key = "since";
    item.append(Object.assign(document.createElement("span"), { className: "since", textContent: "since you left" }));
    old.before(item);
  }
  if (!document.hidden) write(seenKey, lines[0].dataset.move);
}

function talkDot() {
  const dots = document.querySelectorAll("[data-talk-dot]");
  const said = document.querySelectorAll(".talk li[data-key^=said]").length;
  const key = `talk:${body.dataset.table}`;
  if (document.querySelector(".tab-talk")?.checkVisibility()) write(key, said);
  const unread = said - Number(read(key) ?? 0);
  for (const dot of dots) {
    dot.hidden = unread <= 0;
    dot.textContent = unread > 0 ? unread : "";
  }
}
for (const tab of document.querySelectorAll(".tabs input,.sheets input")) tab.addEventListener("change", talkDot);

// ---- sheets over the cloth, on a phone: radio buttons, so that they work without this

const sheet = (name) => document.getElementById(`s-${name}`);

/** Show a sheet ("table": none); whether one was shown before. */
function lay(name) {
  const wanted = sheet(name);
  const open = wanted !== null && !sheet("table").checked;
  if (wanted && !wanted.checked) {
    wanted.checked = true;
    talkDot();
  }
  return open;
}

const tabs = document.querySelector(".sheets");
// The tab of the sheet that is open puts it away.
tabs?.addEventListener("click", (event) => {
  const input = event.target.closest("label")?.querySelector("input");
  if (!input?.checked || event.target === input) return;
  event.preventDefault();
  lay("table");
});
const showKeys = () => document.getElementById("keys")?.showModal();
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-show-keys]")) showKeys();
  if (!event.target.closest("[data-show-log]")) return;
  event.preventDefault();
  if (tabs?.checkVisibility()) lay("log");
  document.getElementById("t-log").checked = true;
  document.getElementById("the-log").focus();
});
let from = 0;
tabs?.addEventListener("touchstart", (event) => (from = event.touches[0].clientY), { passive: true });
tabs?.addEventListener("touchend", (event) => {
  const way = event.changedTouches[0].clientY - from;
  if (Math.abs(way) < 24) return;
  event.preventDefault();
  const under = event.target.closest("label")?.querySelector("input");
  if (way > 0) lay("table");
  else if (under) lay(under.id.slice(2));
});

place();
since();
talkDot();
record();
// A position that was shared is no table, and nothing changes there.
if (body.dataset.table) listen(body.dataset.table, { news, line });
