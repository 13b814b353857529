/** What no single reply shows: that a fileKey or a URL was issued twice, that every number is a site, that a URL outlives the run. */
import type { RuleId } from '../../spec/rules.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { aNumber, asks, isPlain } from '../contract/upload-asks.ts';
import { instantOf, lifetime } from '../contract/upload-target.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { randomIds } from '../numbers.ts';
import type { Breach, Evidence } from './law.ts';

const anyUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const nameOf = ({ params, key }: Exchange) => `a start for site ${params.id} by ${key}`;

/** Adds what all uploads of a history show together. */
export function judgeUploads(exchanges: readonly Exchange[], evidenceOf: (rule: RuleId) => Evidence): void {
  const asked = exchanges.filter(({ operation }) => operation === 'startSiteFileUpload');
  const started = asked.filter(succeeded);
  const keyIn = (start: Exchange) => String(objectIn(start).fileKey).toLowerCase();
  const issued = new Map<string, Exchange>();
  for (const start of started) {
    const { fileKey } = objectIn(start);
    const earlier = issued.get(keyIn(start));
    issued.set(keyIn(start), earlier ?? start);
    if (earlier === undefined || typeof fileKey !== 'string') continue;
    const expected = 'a fileKey that no other start has issued';
    const observed = `${fileKey}, the same as for ${nameOf(earlier)}`;
    evidenceOf('upload/target-file-key').failures.push({ exchange: start, expected, observed, with: [earlier] });
  }
  for (const start of started) {
    // Whoever knows an upload URL may upload, so its signature is not in the history, and equal texts say nothing.
    const named: readonly string[] = String(objectIn(start).uploadUrl).toLowerCase().match(anyUuid) ?? [];
    const other = named.includes(keyIn(start)) ? undefined : named.find((one) => issued.has(one));
    const from = other === undefined ? undefined : issued.get(other);
    if (from === undefined) continue;
    const [expected, observed] = ['an uploadUrl for the fileKey of this start', `one for that of ${nameOf(from)}`];
    evidenceOf('upload/target-url').failures.push({ exchange: start, expected, observed, with: [from] });
  }
  const atRandom = asked.filter(({ facts, status }) => facts?.mutation?.id === aNumber && status !== null);
  const [first, ...others] = atRandom;
  if (first && new Set(atRandom.map(({ params }) => params.id)).size >= randomIds && atRandom.every(succeeded)) {
    const observed = `${first.status} for each of ${atRandom.length} randomIds at random`;
    const failure: Breach = {
      exchange: first,
      expected: '404 for a site that does not exist',
      observed,
      with: others.slice(0, 2),
    };
    evidenceOf('upload/unknown-site-is-404').failures.push(failure);
  }
  for (const put of exchanges.filter(({ operation }) => operation === 'storage')) {
    const start = started.find(({ n }) => String(n) === put.params.start);
    const expiresAt = instantOf(start && objectIn(start).uploadUrlExpiresAt);
    if (start && expiresAt !== null && put.sentAt > start.doneAt + lifetime && put.sentAt < expiresAt)
      evidenceOf('upload/expired-url-is-refused').unclear.push('uploadUrlExpiresAt is later than a run waits');
  }
}

/** Where no registration succeeds, one that is refused may lack a field that the specification does not show. */
export function judgeFields(exchanges: readonly Exchange[], evidenceOf: (rule: RuleId) => Evidence): void {
  const tried = exchanges.filter(({ facts }) => facts?.mutation?.id === asks.fields);
  const refused = tried.find(({ status }) => status === 400 || status === 422);
  const evidence = evidenceOf('upload/register-takes-file-key');
  if (refused && evidence.kept === 0)
    evidence.unclear.push(
      `registering is answered ${refused.status}, perhaps because of a missing field that the specification does not show: give it as upload.registration`,
    );
}

/** The fileKey that a registration names. */
function fileKeyOf({ requestBody }: Exchange): unknown {
  const asked = jsonOrUndefined(requestBody ?? '');
  return isObject(asked) ? asked.fileKey : undefined;
}

/** Registrations that found a stored file used up, though the only one before them was answered with this status. */
export function usedUpBy(status: number, { exchanges }: History): Breach[] {
  const all = exchanges.filter((one) => one.operation === 'registerSiteFile' && isPlain(one));
  return [...Map.groupBy(all, fileKeyOf).values()].flatMap(([first, second]): Breach[] => {
    const isUsedUp = second?.status === 404 || second?.status === 409;
    if (first?.status !== status || second === undefined || !isUsedUp) return [];
    const expected = `a request that was answered ${status} has not registered the file`;
    return [{ exchange: second, expected, observed: `${second.status} to the next registration`, with: [first] }];
  });
}
