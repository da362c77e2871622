// A card per region: how full its buckets are, who sits out and for how long, and its faults.

import * as api from "/api.js";
import { el, setAttribute, setText, sync } from "/dom.js";
import { openFaultForm } from "/faults.js";
import { countdown, faultLeft, faultText, nameIn, number, plural } from "/words.js";

export function makeRegion(region) {
  const title = `region-${region.name}`;
  const deployments = el("div", { class: "deployments" });
  const breakers = el("ul", { "aria-label": `Circuit breakers of ${region.location}` });
  const breakerPart = el("section", { class: "breakers" }, el("h4", {}, "Circuit breakers"), breakers);
  const faults = el("ul", { class: "faults", "aria-label": `Faults of ${region.location}` });
  const state = el("div", { class: "state" });
  let latest = region;
  const fail = el(
    "button",
    { type: "button", class: "fail", on: { click: () => openFaultForm(latest, fail) } },
    "Make it fail …",
    el("span", { class: "hidden" }, ` (${region.location})`),
  );
  const clear = el(
    "button",
    {
      type: "button",
      class: "quiet",
      on: { click: () => api.endFaults(region.name).then(() => fail.focus()) },
    },
    "End all faults",
    el("span", { class: "hidden" }, ` of ${region.location}`),
  );
  const node = el(
    "article",
    { class: "region", "aria-labelledby": title },
    el(
      "div",
      { class: "region-top" },
      el("div", {}, el("h3", { id: title }, region.location), el("p", { class: "soft small" }, region.name)),
      state,
    ),
    deployments,
    breakerPart,
    faults,
    el("div", { class: "region-end" }, fail, clear),
  );
  return {
    node,
    update(given) {
      latest = given;
      showState(node, state, given);
      sync(deployments, given.deployments, (one) => one.name, makeDeployment);
      sync(breakers, given.breakers, (one) => `${one.service}/${one.instance}/${one.name}`, (one) => makeBreaker(given, one));
      sync(faults, given.faults, (one) => one.number, (one) => makeFault(given, one, fail));
      setAttribute(breakerPart, "hidden", given.breakers.length === 0);
      setAttribute(faults, "hidden", given.faults.length === 0);
      setAttribute(clear, "hidden", given.faults.length < 2);
    },
  };
}

/** The state of a region in a word, a shape and, for who sits out, the time that is left. */
function showState(node, place, region) {
  const left = Math.max(0, ...region.breakers.map((one) => one.secondsLeft));
  const kind = left > 0 ? "out" : region.faults.length ? "faulty" : "well";
  if (node.dataset.state !== kind) {
    node.dataset.state = kind;
    const shapes = {
      out: () => [el("span", { class: "yellow-card big" }, el("b", {})), el("span", { class: "word" }, "in the sin bin")],
      faulty: () => [el("span", { class: "shape", "aria-hidden": "true" }, "▲"), el("span", { class: "word" }, "has a fault")],
      well: () => [el("span", { class: "shape", "aria-hidden": "true" }, "●"), el("span", { class: "word" }, "in play")],
    };
    place.replaceChildren(...shapes[kind]());
  }
  if (kind === "out") setText(place.querySelector("b"), countdown(left));
}

function makeDeployment(deployment) {
  const buckets = el("div", { class: "buckets" });
  return {
    node: el(
      "section",
      { class: "deployment" },
      el("h4", {}, deployment.model, " ", el("span", { class: "soft small" }, deployment.sku)),
      buckets,
    ),
    update(given) {
      sync(buckets, given.gauges, (gauge) => gauge.limit, (gauge) => makeBucket(given, gauge));
    },
  };
}

function makeBucket(deployment, gauge) {
  const fill = el("div", { class: "fill" });
  const meter = el(
    "div",
    { class: "meter", role: "meter", "aria-label": `${gauge.limit} of ${deployment.name}`, "aria-valuemin": 0 },
    fill,
  );
  const figure = el("span", { class: "figure" });
  return {
    node: el("div", { class: "bucket" }, el("span", { class: "what" }, gauge.limit), meter, figure),
    update(given) {
      const share = given.of > 0 ? Math.min(1, given.used / given.of) : 1;
      const per = given.windowS === 60 ? "a minute" : `in ${number(given.windowS)} s`;
      fill.style.width = `${share * 100}%`;
      setAttribute(meter, "aria-valuemax", given.of);
      setAttribute(meter, "aria-valuenow", Math.min(given.used, given.of));
      setAttribute(meter, "aria-valuetext", `${number(given.used)} of ${number(given.of)} ${per}`);
      setAttribute(meter, "data-full", share > 0.9);
      setText(figure, `${number(given.used)} of ${number(given.of)}${share >= 0.995 ? ", full" : ""}`);
    },
  };
}

function makeBreaker(region, breaker) {
  const fill = el("div", { class: "fill" });
  const words = el("span", { class: "figure" });
  const bar = el("div", { class: "meter", "aria-hidden": "true" }, fill);
  const node = el("li", { class: "breaker" }, el("span", { class: "what" }, nameIn(region.location, breaker.name)), bar, words);
  let whole = 0;
  let seenPlaying = false;
  return {
    node,
    update(given) {
      // How long it sits out in all is what was left when it began; who did not see that takes the rule's time.
      if (!given.open) [whole, seenPlaying] = [0, true];
      else whole = Math.max(whole, given.secondsLeft, seenPlaying ? 0.001 : (given.rule?.tripS ?? 0.001));
      fill.style.width = given.open ? `${(100 * given.secondsLeft) / whole}%` : "0";
      node.dataset.open = given.open;
      const instance = given.several ? `instance ${given.instance + 1}: ` : "";
      const trips = given.trips ? ` · ${plural(given.trips, "trip")}` : "";
      setText(words, instance + (given.open ? `sits out ${countdown(given.secondsLeft)}` : closed(given)) + trips);
    },
  };
}

function closed(breaker) {
  const rule = breaker.rule;
  if (!rule || rule.failures === null) return `in play, ${plural(breaker.failures, "failure")}`;
  if (rule.failures === 1) return "in play";
  return `in play, ${breaker.failures} of ${plural(rule.failures, "failure")}`;
}

function makeFault(region, fault, next) {
  const left = el("span", { class: "soft" });
  const end = async () => {
    await api.endFault(region.name, fault.number);
    next.focus();
  };
  return {
    node: el(
      "li",
      { class: "fault" },
      el("span", { class: "shape", "aria-hidden": "true" }, "▲"),
      el("span", {}, faultText(fault), " ", left),
      el(
        "button",
        { type: "button", class: "quiet", on: { click: end } },
        "End",
        el("span", { class: "hidden" }, ` ${faultText(fault)} of ${region.location}`),
      ),
    ),
    update(given) {
      setText(left, faultLeft(given));
    },
  };
}
