/** What no single reply shows: data of somebody else, a label that one list lacks, a fileKey that was issued twice, a URL that outlives the run. */
import { uuid } from '../../spec/text/uuid.ts';
import { leaksIn } from '../contract/leaks.ts';
import { privatesIn } from '../contract/private-labels.ts';
import { isSameText, labelsListed } from '../contract/shown.ts';
import { aNumber, asks, expiryOf, lifetime } from '../contract/uploads.ts';
import { type Exchange, jsonOf, objectIn, succeeded } from '../history/exchange.ts';
import { hasMore, nextPageId } from '../history/pages.ts';
import { randomIds, rollOut } from '../numbers.ts';
import { type NamedLabel, privatesOf, sparesOf, tenantsOf } from '../target/records.ts';
import { deletedLabel, goneWords } from './excuses.ts';
import type { Evidence } from './law.ts';
import type { EvidenceOf, Judge, Traffic } from './traffic.ts';

/** Data of the other tenant, and private labels. */
export const judgeLeaks: Judge = ({ exchanges, deployment }, evidenceOf) => {
  const reads = evidenceOf('isolation/reads-stay-in-tenant');
  const leaks = [...leaksIn(exchanges, deployment)];
  for (const { exchange, what, from } of leaks.filter(({ isOpen }) => !isOpen))
    reads.broken(exchange, "no other tenant's data", what, from ? [from] : []);
  const open = leaks.find(({ isOpen }) => isOpen);
  if (open)
    reads.unclear.push(
      `${open.what}, which all reads of our own record show as well: choose records with texts of their own`,
    );
  const labels = evidenceOf('labels/private-never-in-a-reply');
  for (const { exchange, what } of privatesIn(exchanges, deployment)) labels.broken(exchange, 'no private label', what);
  // Without replies that show labels, nothing is proved.
  if (tenantsOf(deployment).some((tenant) => privatesOf(tenant).length > 0))
    labels.kept += exchanges.filter((one) => succeeded(one) && one.operation === 'getConversationContext').length;
};

/** How often keys of one tenant were shown the same. What one is not shown is tried by a trial. */
export const judgePartnerKeys: Judge = ({ cases }, evidenceOf) => {
  const reads = [...cases].flatMap(([exchange, { owner, isRead, isElsewhere, caller }]) => {
    const isOurs = owner === null || owner === 'ours';
    return isRead && !isElsewhere && isOurs && caller === 'valid' && succeeded(exchange) ? [exchange] : [];
  });
  const nameOf = ({ operation, key, params }: Exchange) =>
    JSON.stringify([operation, key?.split('/')[0], Object.values(params)]);
  for (const replies of Map.groupBy(reads, nameOf).values())
    if (new Set(replies.map(({ key }) => key)).size > 1) evidenceOf('keys/partner-scoped').kept += replies.length;
};

/** The spare labels are in each list of labels, every id is a UUID, and what was there before and after was there in between. */
export const judgeLists: Judge = ({ exchanges, deployment, cases }, evidenceOf) => {
  for (const tenant of tenantsOf(deployment)) {
    const own = exchanges.filter((one) => {
      const isOurs = one.operation === 'listLabels' && one.key?.startsWith(`${tenant.name}/`);
      return isOurs && succeeded(one) && cases.get(one)?.caller === 'valid';
    });
    const isPage = ({ facts }: Exchange) => facts?.mutation?.id === nextPageId;
    const lists = own.filter((one) => !isPage(one) && one.facts?.mutation?.means !== 'open');
    judgeOf(sparesOf(tenant), lists, own.filter(isPage), evidenceOf('labels/listing-gives-public-labels'), exchanges);
  }
};

function judgeOf(
  spares: readonly NamedLabel[],
  lists: readonly Exchange[],
  pages: readonly Exchange[],
  evidence: Evidence,
  exchanges: readonly Exchange[],
) {
  const idsOf = (list: Exchange) => labelsListed(list, spares);
  const listed = (some: readonly Exchange[]) => new Set(some.flatMap(idsOf).map((id) => id.toLowerCase()));
  const all = listed([...lists, ...pages]);
  // Only all pages together are the whole list.
  if (lists.some(hasMore) || all.size > listed(lists).size) {
    if (spares.some(({ id }) => !all.has(id.toLowerCase())))
      evidence.unclear.push('a spare label is on none of the pages of the list that could be read');
    return;
  }
  for (const list of lists) {
    const ids = idsOf(list);
    const absent = spares.find(({ id }) => !ids.some((one) => isSameText(one, id)));
    const gone = absent ? deletedLabel(absent.id, list, exchanges) : null;
    if (gone && !gone.isBack) evidence.unclear.push(goneWords(gone));
    if (absent && !gone) {
      const isJson = jsonOf(list) !== undefined;
      evidence.broken(list, `label ${absent.id}`, isJson ? 'a list without it' : 'a body that is not JSON');
    }
    const odd = ids.find((id) => !uuid.test(id));
    if (odd !== undefined && spares.length > 0) evidence.broken(list, 'ids that are UUIDs', odd);
  }
  // A colleague may archive a label and restore it, but not again and again within seconds. Replies may overtake each other, and copies of the list lag.
  const ids = new Map(lists.map((list) => [list, listed([list])]));
  for (const id of all) {
    const [having = [], lacking = []] = [true, false].map((is) => lists.filter((one) => ids.get(one)?.has(id) === is));
    const between = lacking.filter(({ sentAt, doneAt }) => {
      const before = Math.max(...having.flatMap((one) => (one.doneAt < sentAt ? [one.doneAt] : [])));
      return having.some((one) => one.sentAt > doneAt && one.sentAt <= before + rollOut);
    });
    const [list, last] = [between[0], between.at(-1)];
    if (list && last && last.sentAt > list.sentAt + rollOut && !deletedLabel(id, list, exchanges))
      evidence.broken(list, `label ${id}, which was listed before and after`, 'a list without it');
  }
}

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
    const expiresAt = start ? expiryOf(start) : null;
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
