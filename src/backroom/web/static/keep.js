// What this browser keeps for a person, as far as it keeps anything.

/** What is kept under a key, or null. */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key; whether it is kept: storage may be off, or full. */
export function write(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** All keys that begin so. */
export function keys(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Keep nothing under a key. */
export function drop(key) {
  try {
    localStorage.removeItem(key);
  } catch { /* storage is off: nothing was kept */ }
}
