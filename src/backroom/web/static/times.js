// What counts on screen, without asking the server: time left, and time since. The words are those of web/times.py.

let ahead = Number(document.body.dataset.now) * 1000 - Date.now(); // milliseconds by which the server's clock is ahead

/** A length of time in its two largest units. */
export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const days = Math.floor(whole / 86400);
  const hours = Math.floor(whole / 3600) % 24;
  const minutes = Math.floor(whole / 60) % 60;
  if (days) return hours ? `${days} d ${hours} h` : `${days} d`;
  if (hours) return minutes ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes ? `${minutes} min` : `${whole} s`;
}

/** An answer has come, with its Date: that is the server's time, to a second. */
export function settle(date) {
  const found = Date.parse(date ?? "") - Date.now();
  if (Math.abs(found - ahead) > 1500) ahead = found;
}

/** Write all times as they are now. Where a screen reader listens for news, what counts is marked aria-live="off". */
export function tick() {
  const now = Math.floor((Date.now() + ahead) / 1000);
  for (const element of document.querySelectorAll("[data-until]")) {
    const left = Number(element.dataset.until) - now;
    const { before = "", word, past = `${duration(-left)} overdue` } = element.dataset;
    write(element, left > 0 ? before + duration(left) + word : past);
  }
  for (const element of document.querySelectorAll("[data-from]")) {
    const past = now - Number(element.dataset.from);
    write(element, past >= 60 ? element.dataset.word + duration(past) : "");
  }
}

/** Put words in an element, unless they are there already: that would be news to a screen reader. */
export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

tick();
setInterval(tick, 1000);
