// The line to the server: one stream of events for all pages of a browser, held by one of them.
//
// A browser has six connections to a server, so twelve open tables cannot have a stream each; and over plain http there
// are no service workers and no locks. So the pages talk over a BroadcastChannel. One holds the stream and passes on what
// it hears; the others ask now and then whether it is there, and the first to miss it takes over. The page that takes over is
// told by the server where every table stands, so nothing is missed.
//
// Timers of hidden pages may fire once a minute. So whoever holds the stream answers and passes on when it is spoken to,
// never by a timer, and a page that sees that the one holding it has heard nothing for too long takes it over.

const SILENT = 12_500; // the server gives a sign every ten seconds: then the line is in doubt,
const DEAD = 15_000; // and then it is opened anew
const TRY = 3_000; // for a stream to open: the browser may try it on a connection that is dead, too
const TRY_LONG = 15_000; // after some tries: the server may be slow
const ASK = 1_500; // nothing heard from the page that holds the stream: ask it
const GONE = 3_000; // it does not answer: take over
const MOST_TABLES = 100;

const me = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const channel = window.BroadcastChannel ? new BroadcastChannel("line") : null;

let table = "";
let tell = null; // how the page is told: { news(kind, data), line(good, since) }
let left = true; // the page is being left, or frozen
let holder = ""; // the page that holds the stream
let heard = 0; // when that page was last heard of
let sign = 0; // when the server was last heard of
let good = true; // whether the stream is open
let lastTick = 0;

// Of the page that holds the stream:
let since = 0; // when it took it
let pages = new Map(); // the other pages: id to { table, hidden, heard }
let latest = new Map(); // by table: what was last said of it, for a page that comes
let source = null;
let listening = ""; // the tables of the stream
let opened = 0;
let patience = 500;
let tries = 0;
let due = 0; // when the stream is to be opened anew
let timer = 0;

const say = (kind, more = {}) => channel?.postMessage({ from: me, kind, ...more });
const present = () => say("here", { table, hidden: document.hidden });

/** Listen for a table. `news(kind, data)` is what the stream says of it, `line(good, sign)` whether there is one. */
export function listen(id, how) {
  table = id;
  tell = how;
  setInterval(tick, 1000);
  join();
}

/** The page has reason to think that the line is back, or that it slept: look at once. */
export function look() {
  tick(true);
}

function join() {
  left = false;
  holder = "";
  sign = lastTick = Date.now();
  heard = lastTick - GONE + 1000;
  present();
  setTimeout(() => !holder && !left && take(), channel ? 250 : 0);
}

function leave() {
  if (left) return;
  left = true;
  let heir = "";
  if (holder === me) {
    close();
    const others = [...pages].sort(([, a], [, b]) => a.hidden - b.hidden || b.heard - a.heard);
    heir = others[0]?.[0] ?? "";
  }
  holder = "";
  say("bye", { heir });
}

function take() {
  holder = me;
  since = Date.now();
  pages = new Map();
  latest = new Map();
  patience = 500;
  listening = "";
  held();
  schedule(100); // by then the others have said where they are
}

function resign(other) {
  close();
  holder = other;
  heard = Date.now();
  present();
}

const held = () => say("held", { since, sign, good });

channel?.addEventListener("message", ({ data }) => {
  if (left) return;
  const { from, kind } = data;
  const now = Date.now();
  if (kind === "held") {
    if (holder === me) {
      if (data.since > since || (data.since === since && from < me)) resign(from);
      else held();
      return;
    }
    if (holder !== from) present();
    holder = from;
    heard = now;
    hear(data.sign, data.good);
  } else if (kind === "news") {
    if (from !== holder) return;
    heard = now;
    hear(now, true);
    if (data.name === "ping") present();
    if (!data.to || data.to === me) pass(data.name, data.said);
  } else if (holder === me && kind === "here") {
    const known = pages.get(from);
    pages.set(from, { table: data.table, hidden: data.hidden, heard: now });
    if (known?.table === data.table) return;
    held();
    for (const [name, said] of latest.get(data.table) ?? []) say("news", { name, said, to: from });
    schedule(50);
  } else if (holder === me && kind === "ask") {
    held();
  } else if (kind === "bye") {
    pages.delete(from);
    if (holder === me) schedule(3000);
    if (holder !== from) return;
    holder = "";
    heard = now - GONE + 1500; // for whoever is not the heir
    if (data.heir === me) take();
  }
});

/** The server was heard of then, and the stream is open or not. */
function hear(when, open) {
  sign = Math.max(sign, when);
  good = open;
  state();
}

const state = () => tell.line(good && Date.now() - sign < SILENT, sign);

/** What the stream says, to this page. */
function pass(name, said) {
  if (name === "ping" ? said.crowd.includes(table) : said.table === table) tell.news(name, said);
}

// ---- the stream

const wanted = () => [...new Set([table, ...[...pages.values()].map((page) => page.table)])].sort().slice(0, MOST_TABLES);

/** Look in so many milliseconds whether the stream has the tables that are open. */
function schedule(delay) {
  const when = Date.now() + delay;
  if (timer && due <= when) return;
  clearTimeout(timer);
  due = when;
  timer = setTimeout(() => {
    timer = 0;
    if (holder === me && wanted().join() !== listening) open();
  }, delay);
}

function close() {
  source?.close();
  source = null;
  listening = "";
  clearTimeout(timer);
  timer = 0;
}

function open() {
  close();
  const tables = wanted();
  listening = tables.join();
  for (const id of latest.keys()) if (!tables.includes(id)) latest.delete(id);
  opened = Date.now();
  tries += 1;
  const stream = new EventSource(`/events?${new URLSearchParams(tables.map((id) => ["table", id]))}`);
  source = stream;
  stream.onopen = () => {
    patience = 500;
    tries = 0;
    report(true);
  };
  stream.onerror = () => {
    report(false);
    close();
    schedule(patience);
    patience = Math.min(patience * 2, 15_000);
  };
  for (const name of ["table", "own", "gone", "ping"]) stream.addEventListener(name, (event) => received(name, JSON.parse(event.data)));
}

function report(open) {
  hear(open ? Date.now() : 0, open);
  held();
}

function received(name, said) {
  hear(Date.now(), true);
  if (name !== "ping") latest.set(said.table, (latest.get(said.table) ?? new Map()).set(name, said));
  say("news", { name, said });
  if (name === "ping") {
    // Every page answers a ping. Two that were not answered: it is gone without a word.
    for (const [id, page] of pages) if (sign - page.heard > 25_000) pages.delete(id);
    schedule(3000);
  }
  pass(name, said);
}

// ---- who is there

function tick(woken = false) {
  const now = Date.now();
  const slept = woken === true || now - lastTick > 5000;
  lastTick = now;
  if (left) return;
  if (holder === me) {
    const dead = source?.readyState === EventSource.CONNECTING ? now - opened > (tries < 5 ? TRY : TRY_LONG) : now - sign > (slept ? SILENT : DEAD);
    if (source ? dead : slept) open();
    state();
    return;
  }
  if (slept) {
    // Messages wait as timers do: the one who holds the stream is given the time to answer.
    heard = Math.max(heard, now - ASK - 1);
    setTimeout(tick, 1000);
  }
  if (now - heard > GONE || (now - sign > 1.5 * DEAD && !document.hidden)) take();
  else if (now - heard > ASK) say("ask");
  state();
}

addEventListener("pagehide", leave);
addEventListener("pageshow", (event) => event.persisted && join());
document.addEventListener("freeze", leave);
document.addEventListener("resume", () => left && join());
