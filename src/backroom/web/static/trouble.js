// What goes wrong in this page's own script is said beside what was pressed, with the way that needs no script: the same
// page without any, whose buttons are plain forms. Loaded first and not as a module, so that it hears of every other one.
(() => {
  let pressed = null;
  let note = null;

  for (const kind of ["click", "submit", "keydown", "change"]) addEventListener(kind, (event) => (pressed = event.target), true);

  /** The same page, and what is being prepared on it. */
  function unscripted() {
    const query = new URLSearchParams(location.search);
    const slip = document.getElementById("mv");
    const typed = slip && slip.value !== slip.defaultValue;
    const draft = typed ? slip.value : document.body.dataset.draft;
    if (draft) query.set("draft", draft);
    const back = location.pathname + (query.toString() ? "?" + query : "");
    return "/plain?" + new URLSearchParams({ back });
  }

  /** At the end of the form that was used, else of the move, else at the top. */
  function place() {
    const form = pressed && pressed.closest && pressed.closest("main form");
    const there = (form && form.isConnected && form) || document.getElementById("deed");
    if (there) there.append(note);
    else (document.querySelector("main") || document.body).prepend(note);
  }

  function tell(what) {
    if (!note) {
      note = document.createElement("p");
      note.className = "refused paper";
      note.setAttribute("role", "alert");
      note.dataset.trouble = "";
      const link = document.createElement("a");
      link.textContent = "Go on without script";
      note.append(document.createElement("span"), link);
    }
    note.firstChild.textContent = `This page’s own script failed (${what}). Nothing that you sent is lost. `;
    note.lastChild.href = unscripted();
    place();
    note.scrollIntoView({ block: "nearest" });
  }

  /** Of an extension of the browser; what such a script throws may also come without a name. */
  const foreign = ({ filename, message }) => (filename ? new URL(filename, location).origin !== location.origin : message === "Script error.");

  addEventListener(
    "error",
    (event) => {
      if (event.target instanceof HTMLScriptElement) tell("it could not be loaded");
      else if (event.message && !foreign(event)) tell(event.message);
    },
    true,
  );
  addEventListener("unhandledrejection", (event) => tell((event.reason && event.reason.message) || String(event.reason)));
  // Where the page is drawn anew, what is said stays.
  document.addEventListener("patched", () => note && !note.isConnected && place());
})();
