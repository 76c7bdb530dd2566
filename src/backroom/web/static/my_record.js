// The page of one's record: drawn from what this browser keeps, for the server knows none of it.

import { add, clear, file, keeps, matches } from "./record.js";

const at = (id) => document.getElementById(id);

function cell(row, text, heading = false) {
  const made = document.createElement(heading ? "th" : "td");
  if (heading) made.scope = "row";
  made.dir = "auto";
  made.append(text);
  row.append(made);
}

function fill(body, rows) {
  body.replaceChildren(
    ...rows.map((values) => {
      const row = document.createElement("tr");
      values.forEach((value, number) => cell(row, value, number === 0));
      return row;
    }),
  );
}

/** Who one played against, as strong as the strongest of them: people, or a level of bots. */
function company(match) {
  if (match.others.some((other) => !other.level)) return "people";
  const order = at("record").dataset.levels.split(" ");
  return match.others.map((other) => other.level).sort((one, other) => order.indexOf(other) - order.indexOf(one))[0];
}

/** For each game and company: how many, how many won, the most points and the fewest moves of a match that was won. */
function bests(all) {
  const found = new Map();
  for (const match of all) {
    const key = `${match.title}\u0000${company(match)}`;
    const best = found.get(key) ?? { count: 0, won: 0, score: null, moves: null };
    best.count += 1;
    best.score = Math.max(best.score ?? match.score, match.score);
    if (match.place === 1) {
      best.won += 1;
      best.moves = Math.min(best.moves ?? match.moves, match.moves);
    }
    found.set(key, best);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, best]) => {
    const [title, level] = key.split("\u0000");
    const won = `${best.won} of ${best.count}`;
    return [title, level === "people" ? "people" : `${level} bots`, won, String(best.score), best.moves === null ? "–" : String(best.moves)];
  });
}

const day = (seconds) => new Date(1000 * seconds).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });

function place(match) {
  const level = match.others.some((other) => other.place === match.place);
  if (match.place === 1) return level ? "shared the win" : "won";
  return `${level ? "shared " : ""}place ${match.place} of ${match.of}`;
}

function link(match) {
  const made = document.createElement("a");
  made.href = `/t/${match.table}?move=0`;
  made.textContent = match.title;
  return made;
}

function draw() {
  const all = matches();
  at("none").hidden = all.length > 0;
  at("some").hidden = !all.length;
  at("refused").hidden = keeps();
  fill(at("bests"), bests(all));
  const names = (match) => match.others.map((other) => other.name).join(", ");
  fill(at("matches"), all.map((match) => [link(match), day(match.ended), place(match), String(match.score), names(match)]));
  at("export").disabled = at("delete").disabled = !all.length;
}

const say = (words) => (at("told").textContent = words);

at("export").addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([file()], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: address, download: "backroom-record.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
});

at("import").addEventListener("change", async (event) => {
  const [chosen] = event.target.files;
  event.target.value = "";
  if (!chosen) return;
  try {
    const { added, there, wrong, refused } = add(await chosen.text());
    const more = [there && `${there} already there`, wrong && `${wrong} unreadable`, refused && `${refused} without room here`];
    say(`${[`${added} added`, ...more].filter(Boolean).join(", ")}.`);
  } catch {
    say("That file holds no record of Backroom’s.");
  }
  draw();
});

at("delete").addEventListener("click", () => at("sure").showModal());
at("sure").addEventListener("close", () => {
  if (at("sure").returnValue !== "delete") return;
  clear();
  say("Deleted.");
  draw();
});

addEventListener("storage", draw); // a match ended in another window
at("record").hidden = false;
draw();
