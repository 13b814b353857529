/** What no single reply shows: that a fileKey was issued twice, that every number is a site, that a URL outlives the run. */
import type { RuleId } from '../../spec/rules.ts';
import { aNumber, asks } from '../contract/upload-asks.ts';
import { instantOf, lifetime } from '../contract/upload-target.ts';
import { type Exchange, objectIn, succeeded } from '../history/exchange.ts';
import { randomIds } from '../numbers.ts';
import type { Breach, Evidence } from './law.ts';

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
  const atRandom = asked.filter(({ facts, status }) => facts?.mutation?.id === aNumber && status !== null);
  const [first, ...others] = atRandom;
  if (first && new Set(atRandom.map(({ params }) => params.id)).size >= randomIds && atRandom.every(succeeded)) {
    const observed = `${first.status} for each of ${atRandom.length} numbers at random`;
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
