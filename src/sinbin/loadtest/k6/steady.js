// Open loop: one request at a random instant of every slot of 1/rate, answered or not. Serves the loads `steady`,
// `stream` and `mixed`, which differ in their kinds of request alone.
import { sleep } from 'k6';
import exec from 'k6/execution';

import { config, options as optionsOf, summary, wall } from './config.js';
import { ask } from './request.js';

// k6 takes whole numbers of iterations per unit of time: a long unit keeps the rate exact.
const UNIT_S = 1000;
const slot = wall(1 / config.rate);
// A busy machine may be late to end a run: no slot begins after the load's time.
const slots = Math.ceil(config.durationSeconds * config.rate - 1e-9);

export const options = optionsOf({
  executor: 'constant-arrival-rate',
  rate: Math.round(UNIT_S / slot),
  timeUnit: `${UNIT_S}s`,
  duration: `${Math.ceil(wall(config.durationSeconds) * 1e6)}us`,
  preAllocatedVUs: config.callers,
  maxVUs: config.mostCallers,
});

export default function steady() {
  if (exec.scenario.iterationInTest < slots) {
    sleep(Math.random() * slot);
    ask();
  }
}

export const handleSummary = summary;
