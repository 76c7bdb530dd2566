// Whether the aim of this game has been put away in this browser. Loaded before the page is drawn, so that nothing moves.
try {
  const { game } = document.currentScript.dataset;
  document.documentElement.classList.toggle("knows-aim", Boolean(JSON.parse(localStorage.getItem("taught") ?? "{}")[game]?.aim));
} catch { /* storage is off: the aim is shown */ }
