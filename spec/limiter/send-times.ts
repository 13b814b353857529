import type { Phase } from './phase.ts';

/** The Retry-After that is assumed when the requests of a plan are counted; the run itself waits as the 429 says. */
const assumedWait = 1;

/** When each request of the phases is sent, in seconds from the start of the first, and when the last phase ends. */
export function sendTimes(phases: readonly Phase[]): { readonly times: readonly number[]; readonly seconds: number } {
  const times: number[] = [];
  let start = 0;
  const send = (requests: number, at: number) => {
    for (let i = 0; i < requests; i += 1) times.push(start + at);
  };
  for (const phase of phases) {
    switch (phase.kind) {
      case 'steady': {
        const requests = Math.round(phase.perSecond * phase.seconds);
        for (let i = 0; i < requests; i += 1) send(1, i / phase.perSecond);
        start += phase.seconds;
        break;
      }
      case 'volleys':
        for (const { at, requests } of phase.volleys) send(requests, at);
        start += phase.volleys.at(-1)?.at ?? 0;
        break;
      case 'idle':
        start += phase.seconds;
        break;
      case 'ask':
        send(phase.requests, 0);
        start += assumedWait;
        send(1, 0);
    }
  }
  return { times, seconds: start };
}
