// What the page asks its server.

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { "x-sinbin": "1" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(5000),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error.message);
  return said;
}

const faults = (region) => `/regions/${encodeURIComponent(region)}/faults`;

export const state = () => ask("GET", "/state");
export const trace = (number) => ask("GET", `/traces/${number}`);
export const beginFault = (region, fault) => ask("POST", faults(region), fault);
export const endFault = (region, number) => ask("DELETE", `${faults(region)}/${number}`);
export const endFaults = (region) => ask("DELETE", faults(region));
