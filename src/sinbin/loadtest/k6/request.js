// One request: what it asks for, the calls that its caller makes for it, and what came back.
import { sleep } from 'k6';
import http from 'k6/http';

import { callsOf, usageOf, whyOf } from './answer.js';
import { choose, coolDown, freePlaces, isRetried, pauseBefore } from './client.js';
import { config, headers, wall } from './config.js';
import { note } from './metrics.js';

// Tokens of a chat beside those of its text: three for its message, three for the start of the reply.
const TOKENS_AROUND = 6;
// Four characters: a token of any tokenizer, and of the rule of thumb of four bytes each.
const WORD = 'say ';
const shares = config.kinds.reduce((total, kind) => total + kind.share, 0);

export function ask() {
  const kind = pick();
  const text = body(kind);
  const at = Date.now();
  const clock = () => (Date.now() / 1000) * config.speed;
  const seen = { at, kind: kind.name, status: 0, ms: 0, answered: false, calls: [], usage: [0, 0], why: '' };
  let free = freePlaces(clock());
  for (let attempt = 0; free.length; attempt += 1) {
    const place = choose(free, attempt);
    const reply = http.post(place.url, text, { headers, timeout: `${config.timeoutSeconds}s` });
    take(seen, kind, place, reply);
    if (seen.answered || !isRetried(reply.status)) {
      break;
    }
    coolDown(place, clock());
    const wait = attempt + 1 < config.client.attempts ? pauseBefore(attempt, reply.headers['Retry-After']) : null;
    if (wait === null) {
      break;
    }
    if (wait) {
      sleep(wall(wait));
      seen.ms += wait * 1000;
    }
    free = freePlaces(clock());
  }
  note(seen);
}

// Take what came back of one call into what is seen of the request.
function take(seen, kind, place, reply) {
  const { sending, waiting, duration } = reply.timings;
  const text = reply.body || '';
  // A stream counts from its first token, which comes with the headers.
  seen.ms += (kind.stream ? sending + waiting : duration) * config.speed;
  seen.status = reply.status;
  seen.answered = reply.status === 200 && (!kind.stream || text.trimEnd().endsWith('data: [DONE]'));
  const calls = place.name === null ? callsOf(reply.headers) : [{ backend: place.name, status: reply.status }];
  seen.calls = seen.calls === null || calls === null ? null : seen.calls.concat(calls);
  seen.usage = usageOf(text);
  seen.why = reply.status === 200 ? '' : whyOf(text, reply.error);
}

function pick() {
  let point = Math.random() * shares;
  return config.kinds.find((kind) => (point -= kind.share) < 0) || config.kinds[0];
}

function body(kind) {
  const words = Math.max(1, draw(kind.promptTokens) - TOKENS_AROUND);
  const request = { model: config.model, messages: [{ role: 'user', content: WORD.repeat(words) }] };
  if (kind.maxTokens) {
    request.max_tokens = kind.maxTokens;
  }
  if (kind.stream) {
    request.stream = true;
    request.stream_options = { include_usage: true };
  }
  return JSON.stringify(request);
}

// A number of tokens, or one drawn from a log-normal by its median and the deviation of its logarithm.
function draw(count) {
  if (typeof count === 'number') {
    return count;
  }
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return Math.max(1, Math.round(count.median * Math.exp(count.sigma * normal)));
}
