// Pools: the share of the calls that each member is to get, and the one that it got.

import { el, setAttribute, setText, sync } from "/dom.js";
import { percent, place, plural } from "/words.js";

export function makePool(pool) {
  const members = el("ul", { class: "members" });
  const total = el("span", { class: "soft small" });
  return {
    node: el("section", { class: "pool" }, el("h3", {}, pool.name, " ", total), members),
    update(given) {
      const calls = given.members.reduce((sum, member) => sum + member.calls, 0);
      const tiers = new Set(given.members.map((member) => member.priority)).size > 1;
      setText(total, calls ? plural(calls, "call") : "no calls");
      sync(members, given.members, (member) => member.backend, () => makeMember());
      for (const [index, member] of given.members.entries()) {
        members.children[index].show(member, given.backends.get(member.backend), calls, tiers);
      }
    },
  };
}

function makeMember() {
  const fill = el("div", { class: "fill" });
  const mark = el("div", { class: "mark" });
  const name = el("span", { class: "what" });
  const figure = el("span", { class: "figure" });
  const more = el("span", { class: "soft small more" });
  const node = el("li", { class: "member" }, name, el("div", { class: "meter", "aria-hidden": "true" }, fill, mark), figure, more);
  node.show = (member, backend, calls, tiers) => {
    const actual = calls ? member.calls / calls : 0;
    setText(name, backend ? place(backend) : member.backend);
    fill.style.width = `${actual * 100}%`;
    mark.style.left = `${member.share * 100}%`;
    setAttribute(node, "data-out", backend?.out ?? false);
    setText(figure, calls ? percent(actual) : "–");
    setText(more, describe(member, backend, tiers));
  };
  return { node, update() {} };
}

function describe(member, backend, tiers) {
  const words = [member.share || !tiers ? `configured ${percent(member.share)}` : "takes over when those before sit out"];
  if (tiers) words.unshift(`priority ${member.priority}`);
  if (member.calls) words.push(plural(member.calls, "call"));
  if (member.refused) words.push(`${member.refused} refused (429)`);
  if (member.failed) words.push(`${member.failed} failed`);
  if (backend?.out) words.push("sits out");
  return words.join(" · ");
}
