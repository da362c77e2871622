// How the page says figures, times and faults.

const whole = new Intl.NumberFormat("en");

export function number(value) {
  return whole.format(Math.round(value));
}

export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/** Return seconds as a clock that counts down: `0:42`, `1:02:05`. */
export function countdown(seconds) {
  const left = Math.ceil(seconds);
  const minutes = Math.floor(left / 60) % 60;
  const text = `${minutes}:${String(left % 60).padStart(2, "0")}`;
  const hours = Math.floor(left / 3600);
  return hours ? `${hours}:${text.padStart(5, "0")}` : text;
}

export function seconds(value) {
  if (value < 0.0995) return `${Math.round(value * 1000)} ms`;
  return value < 9.995 ? `${value.toFixed(2)} s` : `${number(value)} s`;
}

/** Return the time of day of the local Azure's clock. */
export function timeOfDay(unixTime) {
  return new Date(unixTime * 1000).toLocaleTimeString("en-GB");
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Return where a backend is: its region, or its own name where that is not known. */
export function place(backend) {
  return backend.region || backend.name;
}

/** Return the name of a backend inside its region, which need not be said again. */
export function nameIn(region, name) {
  const end = `-${region}`;
  return name.endsWith(end) ? name.slice(0, -end.length) : name;
}

export const FAULTS = {
  status: ["Error status", "answers with a status of your choice"],
  "content-filter": ["Content filter", "stops every prompt"],
  delay: ["Delay", "answers later"],
  "slow-stream": ["Slow stream", "every piece of a stream comes later"],
  "reset-before-headers": ["Reset before headers", "breaks the connection at once"],
  "reset-in-body": ["Reset in body", "breaks off in the middle of an answer"],
  dns: ["DNS", "its name is not found"],
  tls: ["TLS", "no secure connection can be made"],
  "region-down": ["Region down", "nobody listens"],
  quota: ["Less quota", "only a share of it is left"],
};

export function faultName(kind) {
  return FAULTS[kind] ? FAULTS[kind][0] : kind;
}

/** Return a fault in words, without what is left of it. */
export function faultText(fault) {
  const words = [faultName(fault.kind)];
  if (fault.status !== undefined) words.push(String(fault.status));
  if (fault.retryAfterS !== undefined) words.push(`with Retry-After ${fault.retryAfterS}`);
  if (fault.delayS !== undefined) words.push(`of ${seconds(fault.delayS)}`);
  if (fault.quotaShare !== undefined) words.push(`: ${percent(fault.quotaShare)} left`);
  if (fault.share < 1) words.push(`for ${percent(fault.share)} of the calls`);
  if (fault.deployment !== undefined) words.push(`on ${fault.deployment}`);
  return words.join(" ").replace(" :", ":");
}

export function faultLeft(fault) {
  const left = [];
  if (fault.callsLeft !== null) left.push(`${plural(fault.callsLeft, "call")} left`);
  if (fault.secondsLeft !== null) left.push(`${countdown(fault.secondsLeft)} left`);
  return left.length ? left.join(", ") : "until you end it";
}

/** Return the sign and the word for a status: the colour beside them says nothing that they don't. */
export function outcome(status) {
  if (status === null || status === undefined) return { sign: "…", word: "open", tone: "open" };
  if (typeof status !== "number") return { sign: "✕", word: status, tone: "bad" };
  if (status < 400) return { sign: "✓", word: String(status), tone: "good" };
  if (status < 500) return { sign: "!", word: String(status), tone: "warn" };
  return { sign: "✕", word: String(status), tone: "bad" };
}
