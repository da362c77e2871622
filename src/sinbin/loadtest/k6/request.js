// One request: what it asks for, and what came back.
import http from 'k6/http';

import { callsOf, usageOf, whyOf } from './answer.js';
import { config, headers } from './config.js';
import { note } from './metrics.js';

// Tokens of a chat beside those of its text: three for its message, three for the start of the reply.
const TOKENS_AROUND = 6;
// Four characters: a token of any tokenizer, and of the rule of thumb of four bytes each.
const WORD = 'say ';
const shares = config.kinds.reduce((total, kind) => total + kind.share, 0);

export function ask() {
  const kind = pick();
  const at = Date.now();
  const reply = http.post(config.url, body(kind), { headers, timeout: `${config.timeoutSeconds}s` });
  const { sending, waiting, duration } = reply.timings;
  const text = reply.body || '';
  note({
    at,
    kind: kind.name,
    status: reply.status,
    // A stream counts from its first token, which comes with the headers.
    ms: (kind.stream ? sending + waiting : duration) * config.speed,
    answered: reply.status === 200 && (!kind.stream || text.trimEnd().endsWith('data: [DONE]')),
    calls: callsOf(reply.headers),
    usage: usageOf(text),
    why: reply.status === 200 ? '' : whyOf(text, reply.error),
  });
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
