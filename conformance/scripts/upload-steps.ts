/** The steps of an upload, and how a way through them is tried again: from its own start, because each file can be registered once. */
import type { TargetTenant } from '../../spec/files/target.ts';
import type { RuleId } from '../../spec/rules.ts';
import type { Put } from '../client/ask.ts';
import { type Change, may, type Place, type Request, valid, type Who } from '../contract/request.ts';
import { asks } from '../contract/uploads.ts';
import type { Bench } from '../experiments/bench.ts';
import { mustPass, type Way } from '../experiments/trial.ts';
import { type Exchange, objectIn, succeeded, type Trial } from '../history/exchange.ts';
import { lags, maxFullWaits, rollOut } from '../numbers.ts';
import { keysFor } from '../target/deployment.ts';

export const start = 'startSiteFileUpload';
export const register = 'registerSiteFile';

/** Where a file goes, and who sends it. */
export interface At {
  readonly place: Place;
  readonly who: Who;
}

export const sitesOf = (tenant: TargetTenant): Place[] =>
  [tenant.sites?.current, tenant.sites?.legacy].flatMap((id) =>
    id === undefined ? [] : [{ owner: 'ours' as const, params: { id } }],
  );

export const uploadersOf = (b: Bench, tenant: TargetTenant): Who[] => keysFor(b.deployment, start, tenant).map(valid);

/** A request that starts an upload. */
export const starting = (
  b: Bench,
  { place, who }: At,
  how: { body?: unknown; change?: Change; successRule?: RuleId; once?: true } = {},
): Request => ({ operation: start, place, who, body: { contentType: b.deployment.uploadContentType }, ...how });

export const registering = (
  b: Bench,
  { place, who }: At,
  fileKey: string,
  how: { change?: Change; successRule?: RuleId; body?: unknown } = {},
): Request => ({
  operation: register,
  place,
  who,
  body: { ...b.deployment.registration, fileKey },
  once: true,
  // The other fields of a registration are not documented, so one may be missing until these were found to suffice.
  ...(!b.state.answering.has(register) && { change: may(asks.fields, [400, 422]) }),
  ...how,
});

/** Starts an upload. All the rest needs it, so where something refuses it for a while, it is started once more. */
export async function begin(b: Bench, request: Request): Promise<Exchange> {
  const first = await b.send(request);
  if (succeeded(first) || b.scene.planning || b.state.startWaits >= maxFullWaits) return first;
  b.state.startWaits++;
  await b.sleep(rollOut);
  return b.send(request);
}

const fileKeyIn = (started: Exchange): string | null => {
  const { fileKey } = objectIn(started);
  return started.status === 201 && typeof fileKey === 'string' ? fileKey : null;
};

const usualBytes = new TextEncoder().encode('partnerkit');

/** Sends bytes that must be taken. */
export function store(
  b: Bench,
  started: Exchange,
  how: { rule?: RuleId; trial?: Trial | undefined } & Partial<Put> = {},
): Promise<Exchange | null> {
  const {
    rule = 'upload/put-accepts-bytes',
    contentType = b.deployment.uploadContentType,
    trial,
    bytes = usualBytes,
    ...put
  } = how;
  const demand = { rule, succeeds: true };
  return started.status === 201
    ? b.put(started, { contentType, bytes, demand, ...(trial && { trial }), ...put })
    : Promise.resolve(null);
}

/** Goes a way through an upload, from its own start. The control is a plain start by default. */
export const passes = (b: Bench, at: At, way: Omit<Way, 'control'> & Partial<Way>): Promise<Exchange | null> =>
  mustPass(b, { control: (alone, trial) => alone.send(starting(alone, at), { trial }), ...way });

/** How a file is registered. */
interface Registering {
  /** Who registers it, if not who started it. */
  readonly by?: Who | undefined;
  /** Requests that must leave the file as it is, `early` before its bytes. Where one registers it, its owner does not try. */
  readonly tries?: (fileKey: string) => readonly Request[];
  readonly early?: boolean;
  readonly bytes?: Uint8Array;
  /** What is done with a file that is registered. */
  readonly after?: (started: Exchange, fileKey: string) => Promise<unknown>;
  readonly successRule?: RuleId;
}

/** A start, its bytes and the registration. */
export const registered =
  (at: At, { by = at.who, tries, early = false, after, successRule, bytes }: Registering = {}) =>
  async (b: Bench, trial?: Trial): Promise<Exchange | null> => {
    const started = await begin(b, starting(b, at));
    const fileKey = fileKeyIn(started);
    if (fileKey === null) return null;
    const bytesTaken = async () => (await store(b, started, bytes && { bytes }))?.status ?? 0;
    let status = early ? 0 : await bytesTaken();
    let isTaken = false;
    for (const request of tries?.(fileKey) ?? [])
      if (succeeded(await b.send(request)) && request.operation === register) isTaken = true;
    if (early) status = await bytesTaken();
    await b.sleep(b.state.storeLag);
    if (isTaken || !succeeded({ status })) return null;
    const send = (soon = {}) =>
      b.send(registering(b, { ...at, who: by }, fileKey, { ...(successRule && { successRule }), ...soon }), { trial });
    const isFirst = !b.state.answering.has(register);
    const soon = { change: isFirst ? may(asks.fields, [400, ...tooSoon]) : may(asks.soon, tooSoon) };
    const first = await send(soon);
    const exchange = tooSoon.includes(first.status ?? 0) ? await later(b, trial === undefined, send, soon) : first;
    if (exchange && succeeded(exchange)) await after?.(started, fileKey);
    return exchange;
  };

/** Refusals of a file whose bytes are not known everywhere yet. */
const tooSoon = [404, 409, 422];

/** What the store has taken may be known later elsewhere, so it is registered again, and the last answer counts. */
async function later(b: Bench, isPatient: boolean, send: (soon?: object) => Promise<Exchange>, soon: object) {
  const isFull = isPatient && b.state.storeWaits < maxFullWaits;
  if (isFull) b.state.storeWaits++;
  const waits = isFull ? lags : lags.slice(0, 1);
  let waited = 0;
  for (const at of waits) {
    await b.sleep(at - waited);
    waited = at;
    const exchange = await send(at === waits.at(-1) ? {} : soon);
    if (succeeded(exchange)) b.state.storeLag = Math.max(b.state.storeLag, at);
    if (succeeded(exchange) || at === waits.at(-1)) return exchange;
  }
  return null;
}
