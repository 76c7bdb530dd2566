// The lobby redraws itself when another game or another company is chosen; without this module buttons do it.
document.addEventListener("change", (event) => {
  if (!event.target.closest("[data-look]")) return;
  const fields = new URLSearchParams(new FormData(document.getElementById("lobby")));
  const focus = event.target.id;
  location.replace(`/new?${fields}${focus ? `#${focus}` : ""}`);
});
if (location.hash) document.getElementById(location.hash.slice(1))?.focus();
