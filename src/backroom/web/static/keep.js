// What this browser keeps for a person, as far as it keeps anything.

/** What is kept under a key, or null. */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key. */
export function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch { /* storage is off: not kept */ }
}
