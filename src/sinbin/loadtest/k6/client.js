// How a caller behaves: which region it calls when there is no gateway, how often, how long it waits, what it
// remembers. A caller is one of k6's virtual users, so what a module remembers is one caller's memory.
import exec from 'k6/execution';

import { config } from './config.js';

const { client } = config;
// Behind a gateway there is one place to call, and nothing to choose.
const known = client.regions || [{ name: null, url: config.url, weight: 1 }];
// As `openai` does when it obeys Retry-After and is told none: seconds, doubled up to a most, up to a share less.
const BACKOFF = { first: 0.5, most: 8, less: 0.25 };
const coolsUntil = {};

// The places that do not cool down; all of them, or none, when every one does.
export function freePlaces(now) {
  const free = known.filter((place) => !(coolsUntil[place.name] > now));
  return free.length || client.whenAllCooling === 'fail' ? free : known;
}

export function choose(free, attempt) {
  if (client.pick === 'even') {
    return free[(exec.scenario.iterationInTest + attempt) % free.length];
  }
  if (client.pick === 'in-order') {
    // A caller that remembers has taken the places that refused it out already.
    return free[free.length === known.length ? attempt % free.length : 0];
  }
  let point = Math.random() * free.reduce((total, place) => total + place.weight, 0);
  return free.find((place) => (point -= place.weight) < 0) || free[free.length - 1];
}

export function isRetried(status) {
  return client.retryOn.some(([low, high]) => low <= status && status <= high);
}

export function coolDown(place, now) {
  if (client.coolDownSeconds) {
    coolsUntil[place.name] = now + client.coolDownSeconds;
  }
}

// Seconds before the retry, the first is 0; null = give up.
export function pauseBefore(retry, retryAfter) {
  const { pause } = client;
  if (pause === 'retry-after') {
    if (retryAfter === undefined) {
      return Math.min(BACKOFF.first * 2 ** retry, BACKOFF.most) * (1 - BACKOFF.less * Math.random());
    }
    return Number(retryAfter) <= client.maxRetryAfterSeconds ? Number(retryAfter) : null;
  }
  if (Array.isArray(pause)) {
    return pause[Math.min(retry, pause.length - 1)];
  }
  if (typeof pause === 'object') {
    return pause.exponential * 2 ** retry * (pause.jitter ? 0.5 + Math.random() : 1);
  }
  return pause;
}
