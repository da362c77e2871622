// The last requests, one button each: it opens the trace.

import { el, setText } from "/dom.js";
import { openTrace } from "/trace.js";
import { outcome, place, seconds, timeOfDay } from "/words.js";

export function makeRequest(request, backends) {
  const sign = el("span", { class: "sign" });
  const route = el("span", { class: "route" });
  const after = el("span", { class: "figure" });
  const button = el(
    "button",
    { type: "button", class: "request", on: { click: () => openTrace(request.id, backends(), button) } },
    sign,
    el("span", { class: "call" }, el("span", { class: "soft" }, `${timeOfDay(request.unixTime)} `), `${request.method} ${request.path}`),
    route,
    after,
  );
  let shown = "";
  return {
    node: el("li", {}, button),
    update(given) {
      const text = JSON.stringify([given.status, given.tried, given.got]);
      if (text === shown) return;
      shown = text;
      const { sign: mark, word, tone } = outcome(given.status);
      sign.dataset.tone = tone;
      setText(sign, `${mark} ${word}`);
      setText(after, given.afterS === null ? "" : seconds(given.afterS));
      route.replaceChildren(...steps(given, backends()));
    },
  };
}

function steps(request, backends) {
  if (!request.tried.length) {
    return [el("span", { class: "soft" }, request.status === null ? "no answer yet" : "nothing was called")];
  }
  return request.tried.flatMap((name, index) => {
    const { word, tone } = outcome(request.got[index]);
    const where = backends.has(name) ? place(backends.get(name)) : name;
    const step = el("span", { class: "step", "data-tone": tone }, where, " ", el("b", {}, word));
    return index ? [el("span", { class: "hidden" }, " then "), el("span", { class: "soft arrow", "aria-hidden": "true" }, " → "), step] : [step];
  });
}
