// What has just changed, in one line that screen readers read aloud.

import { byId, setText } from "/dom.js";
import { countdown, faultText } from "/words.js";

let known = null;

/** Compare the regions with those of the last time and say the last thing that changed. */
export function tell(regions) {
  const now = new Map();
  for (const region of regions) {
    for (const one of region.breakers) {
      const name = `${one.name}${one.several ? ` (instance ${one.instance + 1})` : ""}`;
      const out = `${region.location}: ${name} sits out for ${countdown(one.secondsLeft)}`;
      now.set(`breaker ${one.service} ${name}`, { on: one.open, begins: out, ends: `${region.location}: ${name} plays again` });
    }
    for (const fault of region.faults) {
      const text = faultText(fault);
      now.set(`fault ${region.name} ${fault.number}`, {
        on: true,
        begins: `${region.location}: fault begun, ${text}`,
        ends: `${region.location}: fault ended, ${text}`,
      });
    }
  }
  const said = [];
  for (const [key, { on, begins, ends }] of known === null ? [] : now) {
    if (on !== (known.get(key)?.on ?? false)) said.push(on ? begins : ends);
  }
  for (const [key, { on, ends }] of known ?? []) {
    if (on && !now.has(key)) said.push(ends);
  }
  known = now;
  if (said.length) setText(byId("news"), said.join(" · "));
}
