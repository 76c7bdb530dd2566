// What counts on screen, without asking the server: time left, and time since. The words are those of web/times.py.

let told = "";
let ahead = 0; // milliseconds by which the server's clock is ahead of this one

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

/** Write all times as they are now. Where a screen reader listens for news, what counts is marked aria-live="off". */
export function tick() {
  if (document.body.dataset.now !== told) {
    told = document.body.dataset.now;
    ahead = Number(told) * 1000 - Date.now();
  }
  const now = Math.floor((Date.now() + ahead) / 1000);
  for (const element of document.querySelectorAll("[data-until]")) {
    const left = Number(element.dataset.until) - now;
    write(element, left > 0 ? duration(left) + element.dataset.word : `${duration(-left)} overdue`);
  }
  for (const element of document.querySelectorAll("[data-from]")) {
    const past = now - Number(element.dataset.from);
    write(element, past >= 60 ? element.dataset.word + duration(past) : "");
  }
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

tick();
setInterval(tick, 1000);
