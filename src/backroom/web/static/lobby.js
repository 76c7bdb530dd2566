// The lobby redraws itself when another game or another company is chosen; without this module buttons do it.
function picked(group, box) {
  const boxes = [...group.querySelectorAll("input:checked")];
  if (box.checked) for (const other of boxes) if (other !== box && ("instead" in box.dataset || "instead" in other.dataset)) other.checked = false;
  const count = group.querySelectorAll("input:checked:not([data-instead])").length;
  group.querySelector("[data-picked]").textContent = `${count} in`;
  return count === Number(group.dataset.picks) || ("instead" in box.dataset && box.checked);
}

document.addEventListener("change", async (event) => {
  const { files, dataset } = event.target;
  const form = document.getElementById("lobby");
  const check = form.querySelector("[data-check]");
  if (dataset.into && files[0]) {
    form.elements[dataset.into].value = await files[0].text();
    form.requestSubmit(check);
    return;
  }
  const group = event.target.closest("[data-picks]");
  if (group ? !picked(group, event.target) : !event.target.closest("[data-look]")) return;
  if (form.querySelector("textarea")?.value) return form.requestSubmit(check); // too long for an address
  const fields = new URLSearchParams(new FormData(form));
  const focus = event.target.id;
  location.replace(`/new?${fields}${focus ? `#${focus}` : ""}`);
});
if (location.hash) document.getElementById(location.hash.slice(1))?.focus({ preventScroll: true });
