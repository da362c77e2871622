// The form that makes a region fail. The server judges what is asked for; its words are shown as they are.

import * as api from "/api.js";
import { byId, el, setAttribute, setText } from "/dom.js";
import { FAULTS } from "/words.js";

const NEEDS = { status: ["status", "retryAfterS"], delay: ["delayS"], "slow-stream": ["delayS"], quota: ["quotaShare"] };

export function openFaultForm(region, opener) {
  const dialog = byId("fault");
  const form = makeForm(region, () => dialog.close());
  dialog.replaceChildren(form);
  dialog.onclose = () => opener.focus();
  dialog.showModal();
  form.querySelector("input[name=kind]").focus();
}

function makeForm(region, close) {
  const problem = el("p", { class: "problem", role: "alert" });
  const status = numberField("status", "Status", { min: 400, max: 599, value: 429, required: true });
  const retryAfter = numberField("retryAfterS", "Retry-After, seconds (empty: none)", { min: 0, value: 20 });
  const delay = numberField("delayS", "Delay, seconds", { min: 0, value: 5, step: "any", required: true });
  const quota = numberField("quotaShare", "What is left of the quota, %", { min: 0, max: 100, value: 50, required: true });
  const share = numberField("share", "Share of the calls, %", { min: 1, max: 100, value: 100, required: true });
  const values = { status, retryAfterS: retryAfter, delayS: delay, quotaShare: quota };
  const calls = el("input", { type: "number", name: "calls", min: 1, value: 3, "aria-label": "How many calls" });
  const forS = el("input", { type: "number", name: "forS", min: 1, value: 60, "aria-label": "How many seconds" });
  const callsChoice = radio("ends", "calls", false, "for the next ", calls, " calls");
  const form = el(
    "form",
    {},
    el("h2", { id: "fault-title" }, "Make ", el("em", {}, region.location), " fail"),
    el("fieldset", {}, el("legend", {}, "What goes wrong"), el("div", { class: "kinds" }, ...Object.keys(FAULTS).map(kindChoice))),
    el("div", { class: "fields" }, ...Object.values(values)),
    el(
      "fieldset",
      {},
      el("legend", {}, "For how long"),
      el("div", { class: "ends" },
        radio("ends", "never", true, "until I end it"),
        callsChoice,
        radio("ends", "time", false, "for ", forS, " seconds")),
    ),
    el("div", { class: "fields" }, share, deploymentField(region)),
    problem,
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "submit", class: "primary" }, "Begin the fault"),
      el("button", { type: "button", class: "quiet", on: { click: close } }, "Cancel"),
    ),
  );
  const adapt = () => {
    const kind = form.elements.kind.value;
    for (const [name, field] of Object.entries(values)) show(field, (NEEDS[kind] ?? []).includes(name));
    for (const field of [share, callsChoice]) show(field, kind !== "quota"); // it is not about single calls
    if (kind === "quota" && form.elements.ends.value === "calls") form.elements.ends.value = "never";
  };
  form.addEventListener("change", adapt);
  for (const input of [calls, forS]) {
    input.addEventListener("input", () => (input.closest("label").querySelector("input[type=radio]").checked = true));
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    setText(problem, "");
    try {
      await api.beginFault(region.name, read(form));
      close();
    } catch (error) {
      setText(problem, error.message);
    }
  });
  adapt();
  return form;
}

/** Return the fault that the form describes, as the server takes it. */
function read(form) {
  const given = form.elements;
  const fault = { kind: given.kind.value };
  for (const name of NEEDS[fault.kind] ?? []) {
    if (given[name].value !== "") fault[name] = Number(given[name].value) / (name === "quotaShare" ? 100 : 1);
  }
  if (given.ends.value === "calls") fault.calls = Number(given.calls.value);
  if (given.ends.value === "time") fault.forS = Number(given.forS.value);
  if (fault.kind !== "quota") fault.share = Number(given.share.value) / 100;
  if (given.deployment.value !== "") fault.deployment = given.deployment.value;
  return fault;
}

function kindChoice(kind, index) {
  const [name, hint] = FAULTS[kind];
  return radio("kind", kind, index === 0, el("span", {}, el("b", {}, name), el("span", { class: "soft" }, hint)));
}

function radio(name, value, checked, ...words) {
  return el("label", { class: "choice" }, el("input", { type: "radio", name, value, checked }), el("span", {}, ...words));
}

function numberField(name, label, attributes) {
  return el("label", { class: "field" }, el("span", {}, label), el("input", { type: "number", name, ...attributes }));
}

function deploymentField(region) {
  const options = region.deployments.map((one) => el("option", { value: one.name }, one.name));
  const select = el("select", { name: "deployment" }, el("option", { value: "" }, "every deployment"), ...options);
  return el("label", { class: "field" }, el("span", {}, "Deployment"), select);
}

/** Show or hide a field; one that is hidden is not asked for either. */
function show(field, visible) {
  setAttribute(field, "hidden", !visible);
  for (const input of field.querySelectorAll("input")) input.disabled = !visible;
}
