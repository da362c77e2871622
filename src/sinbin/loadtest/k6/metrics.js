// The metrics of a run. Durations are those of the clock that gateway and regions live in.
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';

import { config } from './config.js';

const requests = new Counter('requests');
const success = new Rate('success');
const goodput = new Counter('goodput');
const answer = new Trend('answer_ms', true);
const calls = new Trend('calls_per_request');
const refused = new Counter('refused_calls');
const share = new Rate('region_share');

export function note(seen) {
  success.add(seen.answered);
  if (seen.answered) {
    goodput.add(1);
    answer.add(seen.ms);
  }
  if (seen.calls !== null) {
    calls.add(seen.calls.length);
    refused.add(seen.calls.filter((call) => call.status === 429).length);
    const last = seen.calls[seen.calls.length - 1];
    if (seen.answered && last) {
      config.regions.forEach((region) => share.add(region === last.backend, { region }));
    }
  }
  // Metadata go with the one point that Python reads, and make no series of their own.
  const { metadata } = exec.vu.metrics;
  metadata.record = JSON.stringify(seen);
  requests.add(1);
  delete metadata.record;
}
