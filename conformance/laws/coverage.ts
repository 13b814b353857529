import type { OperationId } from '../../spec/operations.ts';
import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { holderKey } from '../target/holder.ts';
import { holdersOf } from '../target/records.ts';
import { askedBy, deploymentIn } from './judging/asked.ts';

/** How many of the possible combinations on some axes a run covered. */
interface Coverage {
  /** `who x what`. */
  readonly axes: string;
  readonly covered: number;
  readonly of: number;
  /** Combinations that the run did not cover, in words. */
  readonly missing: string[];
}

/** One value on each axis: who sent which operation about which record. */
interface Point {
  readonly who: string;
  readonly what: OperationId;
  readonly which: string;
}

const credentials = ['none', 'empty', 'unknown', 'bearer', 'basic', 'authorization', 'elsewhere'];

/** Coverage of all pairs and triples of who, what and which that this target file makes possible. */
export function coverageOf(history: History): Coverage[] {
  const covered = history.exchanges.flatMap((exchange) => pointOf(exchange, history) ?? []);
  const possible = possiblePoints(history);
  const axes = [
    ['who x what', ({ who, what }: Point) => `${who}, ${what}`],
    ['what x which', ({ what, which }: Point) => `${what}, ${which}`],
    ['who x which', ({ who, which }: Point) => `${who}, ${which}`],
    ['who x what x which', ({ who, what, which }: Point) => `${who}, ${what}, ${which}`],
  ] as const;
  return axes.map(([name, words]) => {
    const combinations = new Set(possible.map(words));
    const reached = new Set(covered.map(words));
    const missing = [...combinations].filter((one) => !reached.has(one));
    return {
      axes: name,
      covered: combinations.size - missing.length,
      of: combinations.size,
      missing: missing.slice(0, maxMissing),
    };
  });
}

/** The report names this many missing combinations. */
const maxMissing = 20;

function pointOf(exchange: Exchange, history: History): Point | null {
  const { operation, credential } = exchange;
  if (operation === null || operation === 'storage') return null;
  const { tenant, targetKey } = askedBy(exchange, history);
  const ours = deploymentIn(history).tenant;
  const valid = targetKey?.revoked
    ? 'revoked key'
    : tenant === undefined || tenant === ours || tenant.name === ours.name
      ? 'key'
      : 'key of the other tenant';
  return { who: credential === 'key' ? valid : credential, what: operation, which: whichOf(exchange, history) };
}

function whichOf(exchange: Exchange, history: History): string {
  const { tenant, stranger } = deploymentIn(history);
  const { operation, params } = exchange;
  const kind = kindOf(operation as OperationId);
  if (kind === 'none') return 'nothing';
  if (kind === 'client') return params.id === tenant.clientSite?.client ? 'client' : foreignClass(exchange, history);
  const holder =
    kind === 'link'
      ? ({ kind, clientId: params.clientId ?? '', siteId: params.siteId ?? '' } as const)
      : ({ kind, id: params.id ?? '' } as const);
  const ours = holdersOf(tenant).find((known) => holderKey(known.holder) === holderKey(holder));
  if (ours !== undefined) return ours.slug;
  const theirs = stranger && holdersOf(stranger).some((known) => holderKey(known.holder) === holderKey(holder));
  return theirs ? 'theirs' : foreignClass(exchange, history);
}

const foreignClass = (exchange: Exchange, history: History) =>
  askedBy(exchange, history).record === 'malformed' ? 'malformed' : 'unknown or mixed';

function kindOf(operation: OperationId): 'conversation' | 'site' | 'link' | 'client' | 'none' {
  if (operation === 'getClient') return 'client';
  if (operation.includes('ClientSite')) return 'link';
  if (operation.includes('Conversation')) return 'conversation';
  return operation.includes('Site') ? 'site' : 'none';
}

function possiblePoints(history: History): Point[] {
  const { tenant, stranger, operations } = deploymentIn(history);
  const who = [
    'key',
    ...(stranger ? ['key of the other tenant'] : []),
    ...(tenant.keys.some(({ revoked }) => revoked) ? ['revoked key'] : []),
    ...credentials,
  ];
  const holders = holdersOf(tenant);
  return operations.flatMap(({ id }) => {
    const kind = kindOf(id);
    const which =
      kind === 'none'
        ? ['nothing']
        : [
            ...(kind === 'client'
              ? tenant.clientSite
                ? ['client']
                : []
              : holders.filter(({ holder }) => holder.kind === kind).map(({ slug }) => slug)),
            'unknown or mixed',
          ];
    return who.flatMap((one) => which.map((record) => ({ who: one, what: id, which: record })));
  });
}
