/** What no single reply shows: that a fileKey was issued twice, that every number is a site, that a URL outlives the run. */
import { aNumber, asks, instantOf, lifetime } from '../contract/uploads.ts';
import { objectIn, succeeded } from '../history/exchange.ts';
import { randomIds } from '../numbers.ts';
import type { EvidenceOf, Traffic } from './traffic.ts';

/** Adds what all uploads of a history show together, after what each reply shows. */
export function judgeUploads({ exchanges }: Pick<Traffic, 'exchanges'>, evidenceOf: EvidenceOf): void {
  const asked = exchanges.filter(({ operation }) => operation === 'startSiteFileUpload');
  const started = asked.filter(succeeded);
  for (const [fileKey, [first, ...others]] of Map.groupBy(started, (one) =>
    String(objectIn(one).fileKey ?? '').toLowerCase(),
  ))
    if (first && fileKey !== '')
      for (const start of others) {
        const observed = `${fileKey}, the same as for a start for site ${first.params.id} by ${first.key}`;
        const expected = 'a fileKey that no other start has issued';
        evidenceOf('upload/target-file-key').broken(start, expected, observed, [first]);
      }
  const atRandom = asked.filter(({ facts, status }) => facts?.mutation?.id === aNumber && status !== null);
  const [first, ...others] = atRandom;
  if (first && new Set(atRandom.map(({ params }) => params.id)).size >= randomIds && atRandom.every(succeeded)) {
    const observed = `${first.status} for each of ${atRandom.length} numbers at random`;
    const expected = '404 for a site that does not exist';
    evidenceOf('upload/unknown-site-is-404').broken(first, expected, observed, others.slice(0, 2));
  }
  for (const put of exchanges.filter(({ operation }) => operation === 'storage')) {
    const start = started.find(({ n }) => String(n) === put.params.start);
    const expiresAt = instantOf(start && objectIn(start).uploadUrlExpiresAt);
    if (start && expiresAt !== null && put.sentAt > start.doneAt + lifetime && put.sentAt < expiresAt)
      evidenceOf('upload/expired-url-is-refused').unclear.push('uploadUrlExpiresAt is later than a run waits');
  }
  const tried = exchanges.filter(({ facts }) => facts?.mutation?.id === asks.fields);
  const refused = tried.find(({ status }) => status === 400 || status === 422);
  // Where no registration succeeds, one that is refused may lack a field that the specification does not show.
  if (refused && evidenceOf('upload/register-takes-file-key').kept === 0)
    evidenceOf('upload/register-takes-file-key').unclear.push(
      `registering is answered ${refused.status}, perhaps because of a missing field that the specification does not show: give it as upload.registration`,
    );
}
