// What a run is told: numbers from a file, secrets from the environment.

export const config = JSON.parse(open(__ENV.SINBIN_LOADTEST_CONFIG));

export const headers = Object.assign(
  { 'Content-Type': 'application/json', 'api-key': __ENV.SINBIN_LOADTEST_KEY || '' },
  __ENV.SINBIN_LOADTEST_TOKEN ? { Authorization: `Bearer ${__ENV.SINBIN_LOADTEST_TOKEN}` } : {},
  config.headers,
);

// Seconds on the wall for seconds of the clock that gateway and regions live in.
export const wall = (seconds) => seconds / config.speed;

// What every script has among its options, whatever its executor.
export function options(executor) {
  return {
    scenarios: { load: Object.assign({ gracefulStop: `${config.graceSeconds}s` }, executor) },
    thresholds: config.thresholds,
    // Sub-metrics of the built-in metrics are of no use here, and each costs memory.
    systemTags: [],
    userAgent: 'sinbin-loadtest',
  };
}

// The figures go to Python: k6 writes them down for it, and nothing to the terminal.
export function summary(data) {
  return { [__ENV.SINBIN_LOADTEST_SUMMARY]: JSON.stringify(data) };
}
