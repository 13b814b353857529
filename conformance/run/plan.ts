import type { Target } from '../../spec/files/target.ts';
import { operations } from '../../spec/operations.ts';
import { seededRandom } from '../../spec/random.ts';
import { type Environment, type Sending, virtualClock } from '../client/environment.ts';
import type { HttpReply } from '../client/http.ts';
import { caseOf, reasonsOf } from '../contract/case.ts';
import { counted } from '../counted.ts';
import type { Exchange } from '../history/exchange.ts';
import { createExposures } from '../journal/exposures.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { maxRounds, maxWritesOfRecord } from '../numbers.ts';
import type { Script, ScriptFacts } from '../scripts/script.ts';
import { type Deployment, deploymentOf } from '../target/deployment.ts';
import { type Chosen, gather } from './run.ts';

/** What a run with the same target and selection would do. */
export type Plan = Awaited<ReturnType<typeof plan>>;

/**
 * Runs every script in virtual time against made-up replies and sends nothing. Requests and pacing are those of a real run against a
 * deployment that keeps the contract.
 */
export async function plan(target: Target, chosen: Chosen = {}) {
  const deployment = deploymentOf(target);
  const environment = plannedEnvironment(deployment);
  const startedAt = environment.now();
  const done: ScriptFacts[] = [];
  const begun = new Map<string, number>();
  const times: { what: string; milliseconds: number }[] = [];
  const { exchanges, hooks, skipped } = await gather(target, {
    ...chosen,
    kit: 'plan',
    environment,
    journal: memoryJournal(),
    onStart: ({ id }) => begun.set(id, environment.now()),
    onDone: (script) => {
      done.push(script);
      times.push({ what: script.id, milliseconds: Math.round(environment.now() - (begun.get(script.id) ?? 0)) });
    },
    planning: true,
  });
  const requests = exchanges.map((exchange) => requestOf(exchange, target.baseUrl));
  const byKey = Map.groupBy(exchanges, ({ key }) => key ?? '-');
  for (const { name, keys } of target.tenants)
    for (const { name: own, rateLimit } of keys) {
      const sent = byKey.get(`${name}/${own}`)?.length ?? 0;
      const milliseconds = ((sent - rateLimit.burst) / rateLimit.perSecond) * 1000;
      if (milliseconds > 0) times.push({ what: `key ${name}/${own}, ${sent} requests at its rate`, milliseconds });
    }
  const exposures = createExposures(deployment);
  for (const exchange of exchanges) exposures.saw(exchange);
  const withWrites = (kind: ScriptFacts['writes']) =>
    done.filter(({ writes }) => writes === kind).map(({ id, title }) => ({ script: id, title }));
  return {
    baseUrl: target.baseUrl,
    scripts: done.length,
    requests,
    /** By key, requests without a key under `-`. */
    keys: [...byKey].map(([key, sent]) => ({ key, requests: sent.length })),
    writes: requests.filter(({ write }) => write).length,
    /** Writes of labels by record, as `acme conversation ID`: those that change it, and those that are refused or repeat what is so. */
    records: [...exposures.all]
      .map(([record, exposure]) => ({ record, ...exposure }))
      .sort((a, b) => b.changes - a.changes),
    /** Requests that may come in addition, where something surprises and is tried again. */
    afterSurprises: maxAfterSurprises,
    /** If each request takes 100 ms. */
    durationMilliseconds: Math.round(environment.now() - startedAt),
    /** What takes the longest, in words. */
    longest: times
      .sort((a, b) => b.milliseconds - a.milliseconds)
      .slice(0, shownTimes)
      .map(({ what, milliseconds }) => ({ what, milliseconds: Math.round(milliseconds) })),
    /** Scripts that leave something behind which the API cannot delete. */
    leftovers: withWrites('leftovers'),
    /** Scripts in which a wrong deployment could lose something for good. */
    atStake: withWrites('risk'),
    /** Hooks that would run, at least. */
    hooks: hooks.map(({ script, hook, input }) => ({ script, hook, input: JSON.stringify(input) })),
    notRun: skipped
      .filter(({ reason }) => reason === 'not-run')
      .map(({ script, why }) => ({ script, why: why.join('; ') })),
  };
}

/** Milliseconds that some scripts take, if each request takes 100 ms. */
export async function plannedLength(target: Target, scripts: readonly Script[], chosen: Chosen): Promise<number> {
  const environment = plannedEnvironment(deploymentOf(target));
  const startedAt = environment.now();
  const own = { kit: 'plan', environment, journal: memoryJournal(), planning: true, preflight: false };
  await gather(target, { ...chosen, ...own, scripts });
  return environment.now() - startedAt;
}

/** Virtual time, and made-up replies. */
function plannedEnvironment(deployment: Deployment): Environment {
  const clock = virtualClock();
  return {
    ...clock,
    random: seededRandom(1),
    async send(_, sending) {
      await clock.sleep(plannedRoundTrip);
      return plannedReply(sending, deployment, clock.now());
    },
    command: async () => ({ stdout: JSON.stringify(madeUp), stderr: '', problem: null }),
  };
}

/** Milliseconds that each request takes in a plan. */
const plannedRoundTrip = 100;

/**
 * A refusal where there is a reason for one, else what scripts read: a label, and an upload target. The top-level domain .invalid never exists
 * (RFC 6761), so no request can reach it.
 * @param now milliseconds since the epoch; upload URLs expire five minutes later
 */
function plannedReply({ about }: Sending, deployment: Deployment, now: number): HttpReply {
  const asked = about ? caseOf(about, deployment) : null;
  const [reason] = asked === null ? [] : reasonsOf(asked);
  if (reason !== undefined) {
    const [status = 404] = typeof reason.statuses === 'string' ? [] : reason.statuses;
    return json(status, { error: { code: 'PLANNED', message: 'made up' } });
  }
  if (about === undefined || about.meant === 'storage') return { status: 200, headers: {}, body: new Uint8Array() };
  const upload = {
    fileKey: '00000000-0000-4000-8000-000000000000',
    uploadUrl: 'https://upload-url.invalid/file',
    uploadUrlExpiresAt: new Date(now + 300_000).toISOString(),
  };
  const { success } = operations[about.meant];
  return json(success, about.meant === 'startSiteFileUpload' ? upload : { labels: [{ id: 'planned' }] });
}

const json = (status: number, body: object): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify(body)),
});

/** What every command of a plan prints. */
const madeUp = { id: 'planned', secret: 'planned-in-place-of-a-secret' };

/** What takes the longest is a handful of scripts; the others run beside them. */
const shownTimes = 5;

/** Rounds of two arms, each with a state, a request and a look, for a handful of rules: more surprises than that say the same. */
const maxAfterSurprises = 8 * maxRounds * 2 * 3;

const requestOf = ({ script, method, url, key, requestBytes, operation }: Exchange, baseUrl: string) => ({
  script,
  method,
  /** Path and query after baseUrl; `(upload URL)` for bytes sent to storage. */
  path: operation === 'storage' ? '(upload URL)' : url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url,
  /** `tenant/key`; null for a request without a key. */
  key,
  bodyBytes: requestBytes,
  /** Whether the method can change anything, even if the deployment should refuse the request. */
  write: method !== 'GET' && method !== 'HEAD',
});

/** A plan as text: totals first, then every request under its script. */
export function planText(plan: Plan): string {
  const { requests, keys, leftovers, atStake, hooks, notRun, records } = plan;
  const total = requests.length;
  const column = (value: number | string, width = 8) => String(value).padStart(width);
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', title, ...lines]);
  const titled = (scripts: Plan['leftovers']) => scripts.map(({ script, title }) => `  ${script}: ${title}`);
  const lines = [
    `${counted(plan.scripts, 'script')} would send ${counted(total, 'request')} to ${plan.baseUrl}, ${plan.writes} of them with a method that writes,`,
    `and up to ${plan.afterSurprises} more after surprises, in about ${Math.ceil(plan.durationMilliseconds / 1000)} s, if a request takes ${plannedRoundTrip} ms. Nothing has been sent.`,
    ...section(
      'requests  key',
      keys.map(({ key, requests: count }) => `${column(count)}  ${key === '-' ? '(no key)' : key}`),
    ),
    ...section(
      ` changes  others  record: writes of labels that change it, at most ${maxWritesOfRecord}, and others`,
      records.map(({ record, changes, others }) => `${column(changes)}  ${column(others, 6)}  ${record}`),
    ),
    ...section(
      'What takes the longest:',
      plan.longest.map(({ what, milliseconds }) => `${column(Math.ceil(milliseconds / 1000))} s  ${what}`),
    ),
    ...(leftovers.length === 0 ? ['', 'Leaves nothing behind: every applied label is removed again.'] : []),
    ...section('Leaves behind what the API cannot delete:', titled(leftovers)),
    ...section('A wrong deployment could lose data for good in:', titled(atStake)),
    ...section(
      'Would run these commands of the target file (a new key is revoked at the end, but stays in the list of keys):',
      hooks.map(({ script, hook, input }) => `  ${script}: ${hook} ${input}`),
    ),
    ...section(
      'Would not run:',
      notRun.map(({ script, why }) => `  ${script}: ${why}`),
    ),
    ...[...Map.groupBy(requests, ({ script }) => script)].flatMap(([script, sent]) => [
      '',
      script,
      ...sent.map(({ method, path, key, bodyBytes, write }) => {
        const size = bodyBytes === 0 ? '' : `, ${bodyBytes} bytes`;
        return `  ${write ? 'W' : ' '} ${method.padEnd(6)} ${path}  [${key ?? 'no key'}${size}]`;
      }),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
