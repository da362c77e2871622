// Asks for the state again and again and shows it; nothing is asked while nobody looks.

import * as api from "/api.js";
import { byId, el, setAttribute, setText, sync } from "/dom.js";
import { tell } from "/news.js";
import { makeRegion } from "/regions.js";
import { makeRequest } from "/requests.js";
import { makePool } from "/routing.js";
import { number, timeOfDay } from "/words.js";

const EVERY_MS = 300;
const LOST_MS = 1500;
let backends = new Map();

function show(state) {
  const regions = state.regions.map((region) => ({ ...region, breakers: breakersOf(region, state.gateways) }));
  backends = new Map(state.gateways.flatMap((gateway) => gateway.backends.map((one) => [one.name, { ...one }])));
  for (const gateway of state.gateways) {
    for (const backend of gateway.backends) {
      backends.get(backend.name).out = gateway.instances.some((instance) => instance.breakers[backend.name]?.open);
    }
  }
  const pools = state.gateways.flatMap((gateway) =>
    gateway.pools.map((pool) => ({ ...pool, backends, key: `${gateway.service}/${pool.name}` })),
  );
  showHeader(state);
  showNotices(state.gateways);
  sync(byId("regions"), regions, (region) => region.name, makeRegion);
  sync(byId("routing"), pools, (pool) => pool.key, makePool);
  sync(byId("requests"), state.traces, (trace) => trace.id, (trace) => makeRequest(trace, () => backends));
  setAttribute(byId("regions-empty"), "hidden", regions.length > 0);
  setAttribute(byId("routing-empty"), "hidden", pools.length > 0);
  setAttribute(byId("legend"), "hidden", pools.length === 0);
  setAttribute(byId("requests-empty"), "hidden", state.traces.length > 0);
  tell(regions);
}

/** Return the breakers of the backends that lead to a region, one for each instance of each service. */
function breakersOf(region, gateways) {
  return gateways.flatMap((gateway) =>
    gateway.backends
      .filter((backend) => backend.account === region.name)
      .flatMap((backend) =>
        gateway.instances.flatMap(({ breakers }, instance) =>
          breakers[backend.name]
            ? [{ ...breakers[backend.name], name: backend.name, rule: backend.breaker, service: gateway.service, instance, several: gateway.instances.length > 1 }]
            : [],
        ),
      ),
  );
}

function showHeader({ clock, gateways }) {
  const served = gateways.filter((gateway) => gateway.service !== null);
  const first = gateways[0];
  setText(byId("gateway"), served.length ? served.map((one) => `${one.service} on ${one.url}`).join(", ") : `gateway on ${first.url}, nothing is deployed`);
  const speed = clock.speed === 1 ? "" : `, time runs ${number(clock.speed)} times faster`;
  setText(byId("clock"), `${timeOfDay(clock.unixTime)}${speed}`);
  const [consumer = "CONSUMER"] = served.flatMap((gateway) => gateway.consumers);
  const [pool] = served.flatMap((gateway) => gateway.pools);
  const model = pool ? pool.name.replace(/^pool-/, "") : "MODEL"; // a stack of ours calls the pool after the alias
  setText(
    byId("example"),
    `export OPENAI_BASE_URL=${first.url}/openai/v1\nexport OPENAI_API_KEY=$(sinbin local key ${consumer})\n` +
      `python -c 'import openai; print(openai.OpenAI().chat.completions.create(\n` +
      `    model="${model}", messages=[{"role": "user", "content": "hello"}]))'`,
  );
}

/** What is deployed and not done here, and what was refused: nobody should wonder why a change has no effect. */
function showNotices(gateways) {
  const notices = gateways.flatMap((gateway) => [
    ...gateway.refused.map((text) => ({ kind: "refused", text: `${gateway.service}: the change is refused: ${text}` })),
    ...gateway.notModelled.map((text) => ({ kind: "remark", text: `${gateway.service}: ${text}` })),
  ]);
  sync(byId("notices"), notices, (notice) => notice.text, (notice) => ({
    node: el("li", { class: "notice", "data-kind": notice.kind }, notice.text),
    update() {},
  }));
}

function showLink(lost) {
  const link = byId("link");
  link.dataset.lost = lost;
  setText(link, lost ? "▲ no answer, is it still running?" : "● live");
}

async function look() {
  let wait = EVERY_MS;
  if (!document.hidden) {
    try {
      show(await api.state());
      showLink(false);
    } catch (error) {
      console.error(error);
      showLink(true);
      wait = LOST_MS;
    }
  }
  setTimeout(look, wait);
}

document.addEventListener("visibilitychange", () => document.hidden || api.state().then(show, () => showLink(true)));
look();
