// One request in full: what the caller got, the attempts on a time line, breakers before and after, every policy.

import * as api from "/api.js";
import { byId, el } from "/dom.js";
import { steps } from "/steps.js";
import { countdown, outcome, place, plural, seconds } from "/words.js";

const AGAIN_MS = 500;

export async function openTrace(number, backends, opener) {
  const dialog = byId("trace");
  dialog.onclose = () => {
    dialog.replaceChildren();
    opener.focus();
  };
  let timer;
  const load = async () => {
    let trace;
    try {
      trace = await api.trace(number);
    } catch (error) {
      show(dialog, el("p", { class: "problem", role: "alert" }, error.message), `Request ${number}`);
      return;
    }
    show(dialog, body(trace, backends), `Request ${number}`);
    if (trace.answer === null && dialog.open) timer = setTimeout(load, AGAIN_MS);
  };
  dialog.addEventListener("close", () => clearTimeout(timer), { once: true });
  await load();
  if (!dialog.open) dialog.showModal();
  byId("trace-title").focus();
}

function show(dialog, content, title) {
  const close = el("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, "Close");
  dialog.replaceChildren(
    el("div", { class: "sheet-top" }, el("h2", { id: "trace-title", tabindex: -1 }, title), close),
    content,
  );
}

function body(trace, backends) {
  return el(
    "div",
    { class: "trace" },
    summary(trace),
    part("Attempts", attempts(trace, backends)),
    part("Breakers, before and after", breakers(trace.breakers, backends)),
    part("What ran", steps(trace.entries)),
  );
}

function part(title, content) {
  return el("section", {}, el("h3", {}, title), content);
}

function summary(trace) {
  const { sign, word, tone } = outcome(trace.status);
  const words = [];
  if (trace.answer === null) {
    words.push("still running, or the caller went away");
  } else {
    words.push(`the caller got ${trace.status} after ${seconds(trace.answer.afterS)}`);
    if (trace.answer.streamed) words.push("as a stream");
  }
  if (trace.waitedS) words.push(`waited ${seconds(trace.waitedS)} between attempts`);
  words.push(`service ${trace.service}, instance ${trace.instance + 1}`);
  const error = trace.answer?.lastError;
  return el(
    "div",
    { class: "summary" },
    el("p", { class: "headline" }, el("span", { class: "sign", "data-tone": tone }, `${sign} ${word}`), ` ${trace.method} ${trace.path}`),
    el("p", { class: "soft" }, words.join(" · ")),
    error ? el("p", { class: "problem" }, `last error: ${error.source}, ${error.reason}: ${error.message}`) : null,
  );
}

/** A bar per call on one time line; the gaps between them are the gateway's own time and its waits. */
function attempts(trace, backends) {
  if (!trace.calls.length) return el("p", { class: "empty" }, "No call left the gateway.");
  const end = Math.max(trace.answer?.afterS ?? 0, ...trace.calls.map((call) => call.endedS), 0.000001);
  return el("ol", { class: "attempts" }, ...trace.calls.map((call) => attempt(call, end, backends)));
}

function attempt(call, end, backends) {
  const { sign, word, tone } = outcome(call.status ?? call.error);
  const backend = backends.get(call.backend);
  const bar = el("div", { class: "bar", "data-tone": tone });
  bar.style.left = `${(100 * call.beganS) / end}%`;
  bar.style.width = `${(100 * (call.endedS - call.beganS)) / end}%`;
  const asks = call.retryAfter === undefined ? "" : `, Retry-After ${call.retryAfter}`;
  const took = ` after ${seconds(call.endedS - call.beganS)}${asks}`;
  return el(
    "li",
    {},
    el(
      "div",
      { class: "attempt-words" },
      el("b", {}, backend ? place(backend) : (call.backend ?? "a URL")),
      el("span", {}, el("span", { class: "sign", "data-tone": tone }, `${sign} ${word}`), took),
    ),
    el("div", { class: "timeline", "aria-hidden": "true" }, bar),
    el("p", { class: "soft small break" }, `${call.kind === "forward" ? "" : `${call.kind} `}${call.method} ${call.url}`),
  );
}

function breakers({ before, after }, backends) {
  const names = Object.keys(after).length ? Object.keys(after) : Object.keys(before);
  if (!names.length) return el("p", { class: "empty" }, "No backend has a breaker.");
  const changed = names.filter((name) => told(before[name]) !== told(after[name]));
  const unchanged = names.filter((name) => !changed.includes(name) && before[name]?.open);
  const rows = [...changed, ...unchanged].map((name) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, told(before[name])), el("td", {}, told(after[name]))),
  );
  const rest = names.length - rows.length;
  const heads = ["backend", "before", "after"].map((head) => el("th", { scope: "col" }, head));
  return el(
    "div",
    {},
    rows.length ? el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)) : null,
    rest ? el("p", { class: "soft small" }, `${plural(rest, rows.length ? "other" : "breaker")} in play, unchanged.`) : null,
  );
}

function told(breaker) {
  if (breaker === undefined) return "not there";
  if (breaker.open) return `sits out ${countdown(breaker.secondsLeft)}`;
  return `in play, ${plural(breaker.failures, "failure")}`;
}
