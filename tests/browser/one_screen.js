// What a table shows without scrolling, how large its targets are, and what has moved without anybody touching it.
(() => {
  // On a phone everything counts, from the first paint on. On a desk the log stands open and grows at its top, which is
  // what it is for: there its lines are left out, and what shifts while the page itself is coming.
  const phone = () => innerWidth < 640;
  const valued = (shift) => {
    if (phone()) return shift.value;
    const moved = shift.sources.filter(({ node }) => !(node?.closest ? node : node?.parentElement)?.closest(".log"));
    if (moved.length === shift.sources.length) return shift.value;
    const area = ({ previousRect: a, currentRect: b }) => a.width * a.height + b.width * b.height;
    const way = ({ previousRect: a, currentRect: b }) => a.width && b.width && Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
    const seen = moved.reduce((sum, one) => sum + area(one), 0) / (innerWidth * innerHeight);
    return (Math.min(1, seen) * Math.max(0, ...moved.map(way))) / Math.max(innerWidth, innerHeight);
  };
  const windows = [{ value: 0, what: [] }];
  // What answers a click moves nothing by itself, however long the server took for it (the browser forgives 500 ms).
  let [asked, answered] = [0, 0];
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => ([asked, answered] = [performance.now(), Infinity]), true);
  addEventListener("DOMContentLoaded", () => document.addEventListener("patched", () => requestAnimationFrame(() =>
    requestAnimationFrame(() => (answered = Math.min(answered, performance.now()))))));
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      if (shift.hadRecentInput || (asked <= shift.startTime && shift.startTime <= answered)) continue;
      const what = shift.sources.map(({ node, previousRect: a, currentRect: b }) =>
        `${node?.nodeName}.${node?.className?.baseVal ?? node?.className} ${[a, b].map((r) => [r.x, r.y, r.width, r.height].map(Math.round)).join(" to ")}`);
      windows.at(-1).value += valued(shift);
      windows.at(-1).what.push(...what);
    }
  }).observe({ type: "layout-shift", buffered: true });

  const box = (thing) => {
    const { left, top, right, bottom } = thing.getBoundingClientRect();
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  };
  const inside = (inner, outer) =>
    inner.left >= outer.left - 1 && inner.top >= outer.top - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
  const shown = (thing) => thing.checkVisibility({ visibilityProperty: true }) && thing.getClientRects().length > 0;
  const told = (thing) => thing.dataset?.key || thing.className || thing.nodeName;

  /** How wide and high the part is that a finger hits; null where none is on the screen. */
  const hit = (thing, most) => {
    const at = box(thing);
    const hits = (x, y) => thing.contains(document.elementFromPoint(x, y));
    for (const [part, down] of [[0.5, 0.5], [0.85, 0.5], [0.15, 0.5], [0.5, 0.85]]) {
      const x = at.left + at.width * part, y = at.top + at.height * down;
      if (!hits(x, y)) continue;
      const reach = (dx, dy) => {
        let far = 0;
        while (far < most && hits(x + dx * (far + 1), y + dy * (far + 1))) far += 1;
        return far;
      };
      return { width: reach(-1, 0) + reach(1, 0) + 1, height: reach(0, -1) + reach(0, 1) + 1 };
    }
    return null;
  };

  window.oneScreen = {
    /** What does not stay where it is while others move. */
    places: () => Object.fromEntries([".holding", ".deed", ".deed [data-key=commit]", ".tabs", ".sheets"].flatMap((name) => {
      const thing = [...document.querySelectorAll(name)].find(shown);
      if (!thing) return [];
      const { left, top, width, height } = box(thing);
      const pressed = new DOMMatrix(getComputedStyle(thing).transform).m42; // a button sinks under the finger
      return [[name, [left, top - pressed, width, height].map((number) => Math.round(number * 10) / 10)]];
    })),
    /** A session window of layout shifts ends where for a second nothing shifts: a person thinks longer than that. */
    think: () => windows.push({ value: 0, what: [] }),
    /** Forget what shifted while the page itself was coming. */
    begin: () => phone() || windows.splice(0),
    /** The largest window, but for the last one, in which the table turned into the page of a match that is over. */
    shift: () => windows.slice(0, -1).reduce((most, found) => (found.value > most.value ? found : most), { value: 0, what: [] }),
    /** What of these is not on the screen as a whole. */
    missing: (names) => {
      const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const wrong = names.filter((name) => {
        const found = [...document.querySelectorAll(name)].filter(shown);
        return !found.length || !found.every((thing) => inside(box(thing), screen));
      });
      if (document.documentElement.scrollHeight > innerHeight + 1) wrong.push(`scrolls: ${document.documentElement.scrollHeight}`);
      return wrong;
    },
    /** Targets that are too small for a finger, of those that are on the screen as a whole. */
    small: (least) => {
      // What scrolls shows some targets in part.
      const whole = (thing) => {
        for (let around = thing.parentElement; around; around = around.parentElement)
          if (/auto|scroll/.test(getComputedStyle(around).overflow) && !inside(box(thing), box(around))) return false;
        return true;
      };
      return [...document.querySelectorAll("button,a[href],summary,label:has(input)")].flatMap((thing) => {
        if (!shown(thing) || thing.closest(".vh,.skip") || thing.getAttribute("aria-disabled") === "true") return [];
        if (getComputedStyle(thing).pointerEvents === "none") return [];
        if (!whole(thing)) return [];
        // Counted in whole pixels, one that begins between two has one less.
        const found = hit(thing, least);
        return found && (found.width < least - 1 || found.height < least - 1) ? [`${told(thing)} ${found.width} x ${found.height}`] : [];
      });
    },
  };
})();
