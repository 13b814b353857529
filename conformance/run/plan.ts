import type { Target } from '../../spec/files/target.ts';
import { virtualEnvironment } from '../client/virtual-environment.ts';
import { counted } from '../counted.ts';
import type { Exchange } from '../history/exchange.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { plannedReply, plannedRoundTrip } from './planned-replies.ts';
import { type Chosen, gather } from './run.ts';

interface PlannedRequest {
  readonly situation: string;
  readonly method: string;
  /** After baseUrl, with its query; `(upload URL)` for bytes sent to storage. */
  readonly path: string;
  /** `tenant/key`; null where none is sent. */
  readonly key: string | null;
  readonly bodyBytes: number;
  /** By its method: whether it can change anything, if it is not refused as it should be. */
  readonly write: boolean;
}

/** What a run with the same target and selection would do. */
export interface Plan {
  readonly baseUrl: string;
  /** How many situations would be brought about. */
  readonly situations: number;
  readonly requests: readonly PlannedRequest[];
  /** By key; requests without one under `-`. `peak`: most within any one second. */
  readonly keys: readonly { readonly key: string; readonly requests: number; readonly peak: number }[];
  readonly writes: number;
  /** At 100 ms per request. */
  readonly durationMilliseconds: number;
  /** Situations that leave something which the API cannot take away again. */
  readonly leftovers: readonly { readonly situation: string; readonly title: string }[];
  /** Situations in which a wrong deployment could lose something for good. */
  readonly atStake: readonly { readonly situation: string; readonly title: string }[];
  /** Commands of the target file that would be run, at least. */
  readonly hooks: readonly { readonly situation: string; readonly hook: string; readonly input: string }[];
  readonly notRun: readonly { readonly situation: string; readonly why: string }[];
}

/**
 * Follows the code of every situation with made-up replies, in virtual time: the same pacing and the same requests as in
 * a real run where everything is as the contract says, and nothing is sent.
 */
export async function plan(target: Target, chosen: Chosen = {}): Promise<Plan> {
  const environment = virtualEnvironment({
    seed: 1,
    answer: () => {
      throw new Error('a plan sends nothing');
    },
  });
  const startedAt = environment.now();
  const done: { readonly id: string; readonly title: string; readonly writes?: string | undefined }[] = [];
  const { exchanges, hooks, skipped } = await gather(target, {
    ...chosen,
    kit: 'plan',
    environment,
    journal: memoryJournal(),
    onDone: ({ id, title, writes }) => done.push({ id, title, writes }),
    planned: async (id) => {
      await environment.sleep(plannedRoundTrip);
      return plannedReply(id, environment.now());
    },
  });
  const requests = exchanges.map((exchange) => requestOf(exchange, target.baseUrl));
  const byKey = Map.groupBy(exchanges, ({ key }) => key ?? '-');
  const writing = (what: string) =>
    done.filter(({ writes }) => writes === what).map(({ id, title }) => ({ situation: id, title }));
  return {
    baseUrl: target.baseUrl,
    situations: done.length,
    requests,
    keys: [...byKey].map(([key, those]) => ({ key, requests: those.length, peak: peakOf(those) })),
    writes: requests.filter(({ write }) => write).length,
    durationMilliseconds: Math.round(environment.now() - startedAt),
    leftovers: writing('leftovers'),
    atStake: writing('risk'),
    hooks: hooks.map(({ situation, hook, input }) => ({ situation, hook, input: JSON.stringify(input) })),
    notRun: skipped
      .filter(({ reason }) => reason === 'not-run')
      .map(({ situation, why }) => ({ situation, why: why.join('; ') })),
  };
}

function requestOf(exchange: Exchange, baseUrl: string): PlannedRequest {
  const { situation, method, url, key, requestBytes, operation } = exchange;
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  return {
    situation,
    method,
    path: operation === 'storage' ? '(upload URL)' : path,
    key,
    bodyBytes: requestBytes,
    write: method !== 'GET' && method !== 'HEAD',
  };
}

/** @param sent in the order of time */
function peakOf(sent: readonly Exchange[]): number {
  const times = sent.map(({ sentAt }) => sentAt);
  let first = 0;
  let peak = 0;
  times.forEach((time, last) => {
    while ((times[first] ?? time) <= time - 1000) first++;
    peak = Math.max(peak, last - first + 1);
  });
  return peak;
}

/** A plan as text: totals first, then every request under its check. */
export function planText(plan: Plan, budget?: number): string {
  const { requests, keys, writes, leftovers, atStake, hooks, notRun } = plan;
  const total = requests.length;
  const lines = [
    `${counted(plan.situations, 'situation')} would send ${counted(total, 'request')} to ${plan.baseUrl}, ${writes} of them with a method that writes`,
    `in about ${Math.ceil(plan.durationMilliseconds / 1000)} s, if a request takes ${plannedRoundTrip} ms. Nothing has been sent.`,
    ...(budget !== undefined && total > budget ? [`That is more than --budget ${budget}.`] : []),
    '',
    'requests  peak/s  key',
    ...keys.map(
      ({ key, requests: count, peak }) =>
        `${String(count).padStart(8)}  ${String(peak).padStart(6)}  ${key === '-' ? '(no key)' : key}`,
    ),
    '',
    leftovers.length === 0
      ? 'Leaves nothing behind: every label that is put on is taken off again.'
      : 'Leaves behind what the API cannot take away again:',
    ...leftovers.map(({ situation, title }) => `  ${situation}: ${title}`),
    ...(atStake.length > 0 ? ['', 'A wrong deployment could lose this for good:'] : []),
    ...atStake.map(({ situation, title }) => `  ${situation}: ${title}`),
    ...(hooks.length > 0
      ? [
          '',
          'Would run these commands of the target file (a key that is made is revoked at the end, and stays in the list of keys):',
        ]
      : []),
    ...hooks.map(({ situation, hook, input }) => `  ${situation}: ${hook} ${input}`),
    ...section('Would not run', notRun),
  ];
  for (const [situation, those] of Map.groupBy(requests, (request) => request.situation)) {
    lines.push('', situation);
    for (const { method, path, key, bodyBytes, write } of those) {
      const size = bodyBytes === 0 ? '' : `, ${bodyBytes} bytes`;
      lines.push(`  ${write ? 'W' : ' '} ${method.padEnd(6)} ${path}  [${key ?? 'no key'}${size}]`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const section = (title: string, items: readonly { readonly situation: string; readonly why: string }[]) =>
  items.length === 0 ? [] : ['', `${title}:`, ...items.map(({ situation, why }) => `  ${situation}: ${why}`)];
