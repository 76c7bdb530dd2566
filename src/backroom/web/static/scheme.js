// Day or night, as chosen on this device. Loaded before the page is drawn, so that nothing flashes.
const root = document.documentElement;
try {
  const kept = localStorage.getItem("scheme");
  if (kept === "light" || kept === "dark") root.dataset.scheme = kept;
} catch { /* storage is off: the system decides */ }

addEventListener("click", (event) => {
  if (!event.target.closest("[data-scheme-switch]")) return;
  const dark = root.dataset.scheme ? root.dataset.scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.scheme = dark ? "light" : "dark";
  try {
    localStorage.setItem("scheme", root.dataset.scheme);
  } catch { /* kept for this page only */ }
});
