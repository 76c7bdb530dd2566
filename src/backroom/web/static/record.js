// The record that this browser keeps of its person's matches: one text for each, under the table's id, so that two pages
// of a match, or the same page twice, write one and the same.

import { drop, keys, read, write } from "./keep.js";

const PREFIX = "record:";
const DELETED = "record-deleted"; // when: matches that had ended by then are not written again by their pages
const LARGEST = 4000; // characters of one match in a file

/** A match as it is kept: a plain object that has what the page of the record shows, or null. */
function checked(value) {
  const texts = ["table", "game", "title"];
  const numbers = ["ended", "place", "of", "score", "moves"];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  if (!texts.every((name) => typeof value[name] === "string" && value[name]) || !/^[a-z0-9]{1,64}$/.test(value.table)) return null;
  if (!numbers.every((name) => Number.isFinite(value[name])) || !Array.isArray(value.others)) return null;
  if (!value.others.every((other) => other && typeof other.name === "string" && Number.isFinite(other.place))) return null;
  return JSON.stringify(value).length <= LARGEST ? value : null;
}

/** All matches that are kept, the latest first. */
export function matches() {
  const found = [];
  for (const key of keys(PREFIX)) {
    try {
      const value = checked(JSON.parse(read(key)));
      if (value) found.push(value);
    } catch { /* somebody else's text under such a key */ }
  }
  return found.sort((one, other) => other.ended - one.ended || (one.table < other.table ? -1 : 1));
}

/** Keep a match that has ended, unless it is there or was deleted; "kept", "there", or "refused" by the browser. */
export function keep(text) {
  let value = null;
  try {
    value = checked(JSON.parse(text));
  } catch { /* no match */ }
  if (!value) return "there";
  if (read(PREFIX + value.table) !== null || value.ended <= Number(read(DELETED) ?? 0)) return "there";
  return write(PREFIX + value.table, JSON.stringify(value)) ? "kept" : "refused";
}

/** Add the matches of a file; how many were new, were there already, could not be read, or were refused. */
export function add(text) {
  const count = { added: 0, there: 0, wrong: 0, refused: 0 };
  const file = JSON.parse(text);
  if (file?.backroom !== "record" || !Array.isArray(file.matches)) throw new TypeError("no record");
  for (const given of file.matches) {
    const value = checked(given);
    if (!value) count.wrong += 1;
    else if (read(PREFIX + value.table) !== null) count.there += 1;
    else count[write(PREFIX + value.table, JSON.stringify(value)) ? "added" : "refused"] += 1;
  }
  return count;
}

/** The record as the text of a file. */
export const file = () => `${JSON.stringify({ backroom: "record", version: 1, matches: matches() }, null, 1)}\n`;

/** Delete all of it. */
export function clear() {
  for (const key of keys(PREFIX)) drop(key);
  write(DELETED, String(Math.floor(Date.now() / 1000)));
}

/** Whether this browser keeps anything. */
export function keeps() {
  const works = write("record-try", "1");
  drop("record-try");
  return works;
}

/** How often one has met one of the regulars, and come in before it, by its key. */
function against(key) {
  const met = { matches: 0, before: 0 };
  for (const match of matches()) {
    for (const other of match.others) {
      if (other.regular !== key) continue;
      met.matches += 1;
      met.before += match.place < other.place;
    }
  }
  return met;
}

// What a page says of it: the page of a match that is over writes it down, and that of the regulars tells how one stands
// against each.

function look() {
  const { record } = document.body.dataset;
  if (record) {
    const done = keep(record);
    for (const place of document.querySelectorAll("[data-record-told]")) {
      place.hidden = false;
      if (done === "refused") place.textContent = "This browser keeps no more, so this match is not in your record.";
    }
  }
  for (const place of document.querySelectorAll("[data-against]")) {
    const { matches: met, before } = against(place.dataset.against);
    if (met) place.textContent = `You came in before it in ${before} of ${met} ${met === 1 ? "match" : "matches"}.`;
    place.hidden = !met;
  }
}

document.addEventListener("patched", look);
look();
