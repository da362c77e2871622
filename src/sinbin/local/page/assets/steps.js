// What ran for one request: every policy with its place, grouped by section and scope; what was decided stands out.

import { el } from "/dom.js";
import { plural, seconds } from "/words.js";

/** Return a list of the entries of a trace. */
export function steps(entries) {
  const list = el("ol", { class: "steps" });
  let group = null;
  for (const row of gather(entries)) {
    const title = row.scope === null ? "gateway" : `${row.section} · ${row.scope}`;
    if (group === null || group.title !== title) {
      group = { title, rows: el("ol", { class: "rows" }) };
      list.append(el("li", {}, el("h4", {}, title), group.rows));
      group.quiet = null;
    }
    if (row.notes.length) {
      group.quiet = null;
      group.rows.append(loud(row));
    } else {
      group.quiet = hush(group, row);
    }
  }
  return list;
}

/** Return the policies with the notes that belong to each; the gateway's own remarks are rows, too. */
function gather(entries) {
  const rows = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if (entry.starts) rows.push({ ...entry, notes: [] });
    else if (entry.scope !== null && last?.path === entry.path && last.scope === entry.scope) last.notes.push(entry);
    else rows.push({ ...entry, notes: [entry] });
  }
  return rows;
}

function loud(row) {
  const notes = row.notes.map((note) => el("p", { class: "note" }, note.text));
  return el(
    "li",
    { class: "loud" },
    el("span", { class: "at" }, seconds(row.atS)),
    el("div", {}, row.scope === null ? null : el("p", { class: "policy" }, el("b", {}, row.policy), " ", where(row)), ...notes),
  );
}

/** Put a policy that had nothing to say into the fold of those before it. */
function hush(group, row) {
  const fold = group.quiet ?? { names: [], list: el("ol", { class: "fold" }), summary: el("summary", {}) };
  if (group.quiet === null) {
    group.rows.append(
      el("li", {}, el("span", { class: "at" }, seconds(row.atS)), el("details", {}, fold.summary, fold.list)),
    );
  }
  fold.names.push(row.policy);
  fold.list.append(el("li", {}, row.policy, " ", where(row)));
  fold.summary.textContent = `${plural(fold.names.length, "policy", "policies")} ran: ${counted(fold.names)}`;
  return fold;
}

function where(row) {
  return el("span", { class: "soft small" }, `${row.file}:${row.line}`);
}

/** Return names with how often each comes one after the other: `set-variable ×2, choose`. */
function counted(names) {
  const runs = [];
  for (const name of names) {
    if (runs.at(-1)?.name === name) runs.at(-1).times += 1;
    else runs.push({ name, times: 1 });
  }
  return runs.map((run) => (run.times > 1 ? `${run.name} ×${run.times}` : run.name)).join(", ");
}
