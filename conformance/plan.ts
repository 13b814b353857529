import type { Target } from '../spec/files/target.ts';
import type { Check } from './check.ts';
import { virtualEnvironment } from './client/virtual-environment.ts';
import { counted } from './counted.ts';
import type { Exchange } from './evidence.ts';
import { plannedReply, plannedRoundTrip } from './planned-replies.ts';
import { run } from './run.ts';
import type { Selection } from './selection.ts';
import { memoryJournal } from './write-journal.ts';

export interface PlannedRequest {
  /** Null for the question whether anybody is there. */
  readonly check: string | null;
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
  /** How many checks would run. */
  readonly checks: number;
  readonly requests: readonly PlannedRequest[];
  /** By key; requests without one under `-`. `peak`: most within any one second. */
  readonly keys: readonly { readonly key: string; readonly requests: number; readonly peak: number }[];
  readonly writes: number;
  /** At 100 ms per request. */
  readonly durationMilliseconds: number;
  /** Checks that leave something which the API cannot take away again. */
  readonly leftovers: readonly { readonly check: string; readonly title: string }[];
  readonly notRun: readonly { readonly check: string; readonly why: string }[];
  /** Checks that ended early in the plan, so that they may send more than is listed. */
  readonly unplanned: readonly { readonly check: string; readonly why: string }[];
}

export interface PlanOptions extends Selection {
  readonly checks: readonly Check[];
}

/**
 * Follows the code of every selected check with made-up replies, in virtual time: the same pacing and the same requests as in
 * a real run where everything is as the contract says, and nothing is sent.
 */
export async function plan(target: Target, options: PlanOptions): Promise<Plan> {
  const environment = virtualEnvironment({
    seed: 1,
    answer: () => {
      throw new Error('a plan sends nothing');
    },
  });
  const sent: { exchange: Exchange; check: Check | null }[] = [];
  const record = await run(target, {
    ...options,
    environment,
    journal: memoryJournal(),
    planned: async (id) => {
      await environment.sleep(plannedRoundTrip);
      return plannedReply(id, environment.now());
    },
    onExchange: (exchange, check) => sent.push({ exchange, check }),
  });
  sent.sort((a, b) => a.exchange.sentAt - b.exchange.sentAt);

  const requests = sent.map(({ exchange, check }) => requestOf(exchange, check, record.target.baseUrl));
  const byKey = Map.groupBy(sent, ({ exchange }) => exchange.key ?? '-');
  const ran = record.results.filter(({ outcome }) => outcome !== 'not-selected' && outcome !== 'not-run');
  const ranIds = new Set(ran.map(({ id }) => id));
  return {
    baseUrl: record.target.baseUrl,
    checks: ran.length,
    requests,
    keys: [...byKey].map(([key, those]) => ({ key, requests: those.length, peak: peakOf(those) })),
    writes: requests.filter(({ write }) => write).length,
    durationMilliseconds: Math.round(record.finishedAt - record.startedAt),
    leftovers: options.checks
      .filter(({ id, writes }) => writes === 'leftovers' && ranIds.has(id))
      .map(({ id, title }) => ({ check: id, title })),
    notRun: record.results
      .filter(({ outcome }) => outcome === 'not-run')
      .map(({ id, message }) => ({ check: id, why: message })),
    unplanned: ran
      .filter(({ outcome }) => outcome === 'error' || outcome === 'inconclusive' || outcome === 'fail')
      .map(({ id, message }) => ({ check: id, why: message })),
  };
}

function requestOf(exchange: Exchange, check: Check | null, baseUrl: string): PlannedRequest {
  const { method, url, key, requestBytes, operationId } = exchange;
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  return {
    check: check?.id ?? null,
    method,
    path: operationId === 'storage' ? '(upload URL)' : path,
    key,
    bodyBytes: requestBytes,
    write: method !== 'GET' && method !== 'HEAD',
  };
}

/** @param sent in the order of time */
function peakOf(sent: readonly { readonly exchange: Exchange }[]): number {
  const times = sent.map(({ exchange }) => exchange.sentAt);
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
  const { requests, keys, writes, leftovers, notRun, unplanned } = plan;
  const total = requests.length;
  const lines = [
    `${counted(plan.checks, 'check')} would send ${counted(total, 'request')} to ${plan.baseUrl}, ${writes} of them with a method that writes`,
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
    ...leftovers.map(({ check, title }) => `  ${check}: ${title}`),
    ...section('Would not run', notRun),
    ...section('Cannot be followed to the end without a real reply', unplanned),
  ];
  const byCheck = Map.groupBy(requests, ({ check }) => check ?? '');
  for (const [check, those] of byCheck) {
    lines.push('', check === '' ? 'Is anybody there?' : check);
    for (const { method, path, key, bodyBytes, write } of those) {
      const size = bodyBytes === 0 ? '' : `, ${bodyBytes} bytes`;
      lines.push(`  ${write ? 'W' : ' '} ${method.padEnd(6)} ${path}  [${key ?? 'no key'}${size}]`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const section = (title: string, items: readonly { readonly check: string; readonly why: string }[]) =>
  items.length === 0 ? [] : ['', `${title}:`, ...items.map(({ check, why }) => `  ${check}: ${why}`)];
