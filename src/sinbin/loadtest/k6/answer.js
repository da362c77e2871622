// What an answer tells beside its text: the calls it took, the tokens it cost, why it was refused.

// Set by the policies for consumers that may see it, and by a local gateway for requests that are traced.
const TRIED = ['X-Sinbin-Tried', 'X-Gateway-Tried'];

// The calls that were made for the request, in order: `[{ backend, status }]`; null when the answer does not say.
export function callsOf(headers) {
  const name = TRIED.find((header) => headers[header] !== undefined);
  if (name === undefined) {
    return null;
  }
  return headers[name]
    .split(' ')
    .filter((call) => call)
    .map((call) => {
      const [backend, status] = call.split('=');
      return { backend, status: Number(status) };
    });
}

// `[prompt tokens, completion tokens]`, zeros when the answer does not say; of a stream the last chunk does.
export function usageOf(text) {
  const usage = text.split(/"usage":\s*\{/).slice(1).pop() || '';
  return ['prompt_tokens', 'completion_tokens'].map((name) => {
    const found = usage.match(new RegExp(`"${name}":\\s*(\\d+)`));
    return found ? Number(found[1]) : 0;
  });
}

// The reason that a refusal gives: of the gateway's own policies, else none; of a failed connection k6's words.
export function whyOf(text, error) {
  try {
    return String(JSON.parse(text).error.reason || '');
  } catch (_) {
    return text ? '' : error;
  }
}
