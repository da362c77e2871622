// Closed loop: callers share a number of requests, and each sends the next as soon as its last is answered.
import { config, options as optionsOf, summary } from './config.js';
import { ask } from './request.js';

export const options = optionsOf({
  executor: 'shared-iterations',
  vus: Math.min(config.callers, config.requests),
  iterations: config.requests,
  maxDuration: `${config.mostSeconds}s`,
});

export default ask;

export const handleSummary = summary;
