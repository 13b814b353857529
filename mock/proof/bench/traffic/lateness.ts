/** When each request of the main phase left, in ms since the epoch with their fraction, from k6's raw output. */
export function sentTimes(raw: string): number[] {
  const times: number[] = [];
  for (const line of raw.split('\n')) {
    if (!line.startsWith('{"metric":"http_req_duration","type":"Point"')) continue;
    const { time, value, tags } = JSON.parse(line).data;
    // k6 stamps a request when its answer is complete.
    if (tags?.phase === 'steady') times.push(instantOf(time) - value);
  }
  return times.sort((a, b) => a - b);
}

/**
 * How much later than an even schedule each left, in ms. The schedule begins so that the most punctual request is on time.
 * @param times in order
 * @param interval ms between two
 */
export function latenessOf(times: readonly number[], interval: number): number[] {
  const from = Math.min(...times.map((time, i) => time - i * interval));
  return times.map((time, i) => time - i * interval - from);
}

/** RFC 3339 with nanoseconds, of which Date keeps only milliseconds. */
function instantOf(time: string): number {
  const [, second = '', fraction = '', zone = ''] = /^([^.Z+]{19})(\.\d+)?(.*)$/.exec(time) ?? [];
  return Date.parse(second + zone) + Number(`0${fraction}`) * 1000;
}
