import { plainId } from '../../../spec/text/other-case.ts';
import { uuid } from '../../../spec/text/uuid.ts';
import { type Exchange, isObject, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { type Breach, type Law, lawOf } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { askedJson, breachesAmong, hasLawfulBody, isJsonRequest, type Upload, uploadsIn } from './uploads-in.ts';
import { claimsOf, issuedInTime, surelyAlive, young } from './url-life.ts';

const nameOf = ({ params, key }: Exchange) => `a start for site ${params.id} by ${key}`;

const shown = (value: unknown) =>
  value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 80) ?? 'missing');

/** Starts by keys with the scope. */
const permitted = (history: History) =>
  history.exchanges.filter((exchange) => {
    if (exchange.operation !== 'startSiteFileUpload') return false;
    const { authenticates, lacks } = askedBy(exchange, history);
    return authenticates && lacks.length === 0;
  });

/** Starts that can be refused only because of their site. @param record the class of the site */
const startsOf = (history: History, record: 'ours' | 'unknown' | 'theirs') =>
  permitted(history).filter(
    (exchange) =>
      exchange.twist === null && askedBy(exchange, history).record === record && hasLawfulBody(exchange, history),
  );

const isJudged = ({ status }: Exchange) => status !== null && status !== 429;

const startIs201 = lawOf(
  'upload/start-is-201',
  'every start with a permitted key, for any site, is answered 201 with an upload target',
  (history) => {
    const lawful = startsOf(history, 'ours');
    const lawfulStarts = new Set(lawful);
    const unlawful = uploadsIn(history).flatMap(({ start }) => (lawfulStarts.has(start) ? [] : [start]));
    // A deployment may refuse a content type, but must not always fail with a 5xx.
    const types = Map.groupBy(
      permitted(history).filter((one) => one.twist === 'body/other-type' && askedBy(one, history).record === 'ours'),
      ({ requestBody }) => requestBody,
    );
    const expected = (start: Exchange) => `${nameOf(start)}: 201 with an upload target`;
    const is201 = ({ status }: Exchange) => status === 201;
    const empty = uploadsIn(history).filter(
      ({ start, fileKey, uploadUrl, uploadUrlExpiresAt }) =>
        is201(start) && [fileKey, uploadUrl, uploadUrlExpiresAt].every((value) => value === undefined),
    );
    return {
      applied: lawful.filter(isJudged).length + unlawful.length,
      breaches: [
        ...breachesAmong(lawful, is201, expected),
        ...breachesAmong(unlawful, is201, expected),
        ...[...types.values()].flatMap((starts) => breachesAmong(starts, answered, expected)),
        ...empty.map(({ start }) => ({
          exchange: start,
          expected: expected(start),
          observed: '201 without an upload target',
        })),
      ],
    };
  },
);

/** A law about the upload target in every successful reply to a start. */
const ofTargets = (
  rule: Law['rule'],
  title: string,
  faults: (uploads: readonly Upload[], history: History) => Iterable<Breach>,
): Law =>
  lawOf(rule, title, (history) => {
    const uploads = uploadsIn(history);
    return { applied: uploads.length, breaches: [...faults(uploads, history)] };
  });

const fileKeys = ofTargets(
  'upload/target-file-key',
  'every start issues a fileKey, a UUID that no other start has issued',
  function* (uploads) {
    const issued = new Map<string, Exchange>();
    for (const { start, fileKey } of uploads) {
      if (typeof fileKey !== 'string' || !uuid.test(fileKey)) {
        yield { exchange: start, expected: 'fileKey, a UUID', observed: `fileKey is ${shown(fileKey)}` };
        continue;
      }
      const earlier = issued.get(fileKey.toLowerCase());
      issued.set(fileKey.toLowerCase(), earlier ?? start);
      if (earlier === undefined) continue;
      const expected = 'a fileKey that no other start has issued';
      yield { exchange: start, expected, observed: `${fileKey}, the same as for ${nameOf(earlier)}`, with: [earlier] };
    }
  },
);

const anyUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const urls = ofTargets(
  'upload/target-url',
  'every start gives an absolute URL for the bytes of this upload',
  function* (uploads) {
    const issued = new Map(uploads.map(({ start, fileKey }) => [String(fileKey).toLowerCase(), start]));
    for (const { start, uploadUrl, fileKey } of uploads) {
      if (typeof uploadUrl === 'string' && /^https?:\/\//i.test(uploadUrl) && URL.canParse(uploadUrl)) {
        const named: readonly string[] = uploadUrl.toLowerCase().match(anyUuid) ?? [];
        const other = named.includes(String(fileKey).toLowerCase()) ? undefined : named.find((one) => issued.has(one));
        const from = other === undefined ? undefined : issued.get(other);
        if (from === undefined) continue;
        const expected = 'an uploadUrl for the fileKey of this start';
        yield { exchange: start, expected, observed: `a URL for ${other}, as for ${nameOf(from)}`, with: [from] };
        continue;
      }
      // Whoever knows an upload URL may upload, so the message does not repeat the URL.
      const observed = uploadUrl === undefined ? 'no uploadUrl' : `uploadUrl is a ${typeof uploadUrl}, but no such URL`;
      yield { exchange: start, expected: 'uploadUrl, an absolute http or https URL', observed };
    }
  },
);

const expiries = ofTargets(
  'upload/target-expiry',
  'every start says when its URL expires, as a date-time with its zone',
  function* (uploads) {
    for (const { start, expiresAt, uploadUrlExpiresAt } of uploads)
      if (expiresAt === null) {
        const observed = `uploadUrlExpiresAt is ${shown(uploadUrlExpiresAt)}`;
        yield { exchange: start, expected: 'uploadUrlExpiresAt, a date-time with its zone (RFC 3339)', observed };
      }
  },
);

const lives = ofTargets(
  'upload/url-lives-five-minutes',
  'every upload URL lives five minutes: by uploadUrlExpiresAt, by what the URL itself says, and by what the store does',
  function* (uploads, history) {
    const { clockSkewSeconds: skew } = deploymentIn(history);
    const allowed = `(clockSkewSeconds: ${skew})`;
    for (const upload of uploads) {
      const { start, expiresAt, uploadUrl, puts } = upload;
      const after = (at: number) => `${((at - start.sentAt) / 1000).toFixed(1)} s after the start was sent`;
      if (expiresAt !== null && !issuedInTime(upload, expiresAt, skew))
        yield {
          exchange: start,
          expected: `uploadUrlExpiresAt 300 s after issue ${allowed}`,
          observed: after(expiresAt),
        };
      for (const { words, seconds, endsAt } of claimsOf(uploadUrl)) {
        const lasts = seconds === undefined || Math.abs(seconds - 300) <= skew + 1;
        const ends = endsAt === undefined || issuedInTime(upload, endsAt, skew);
        if (lasts && ends) continue;
        const observed = `its parameters say ${words}${lasts ? `: ${after(endsAt ?? 0)}` : ''}`;
        yield { exchange: start, expected: `an upload URL that lives 300 s ${allowed}`, observed };
      }
      const [first] = puts.filter(answered);
      if (first !== undefined && !diedEarly(upload, first, skew)) continue;
      if (first !== undefined)
        yield {
          exchange: first,
          expected: 'a PUT to a URL that is younger than five minutes succeeds',
          observed: `${first.status}, ${after(first.sentAt)}`,
          with: [start],
        };
    }
  },
);

/** Whether the store refused the first PUT to a URL that was some time old but surely not expired. */
function diedEarly(upload: Upload, put: Exchange, skew: number): boolean {
  const { start, contentType } = upload;
  return (
    put.twist === null &&
    put.requestHeaders['content-type'] === contentType &&
    !succeeded(put) &&
    put.sentAt > start.doneAt + young &&
    surelyAlive(upload, put, skew)
  );
}

/** A law about starts with a JSON body that the contract forbids. */
const ofBodies = (rule: Law['rule'], title: string, wrong: (body: unknown) => boolean, expected: string): Law =>
  lawOf(rule, title, (history) => {
    const starts = permitted(history).filter((exchange) => {
      if (askedBy(exchange, history).record !== 'ours') return false;
      if (exchange.requestBody === null) return wrong(undefined);
      const body = askedJson(exchange);
      return isJsonRequest(exchange) && body !== undefined && wrong(body);
    });
    const bodyOf = ({ requestBody }: Exchange) => requestBody ?? 'no body';
    const fits = ({ status, requestBody }: Exchange) =>
      // A request without a body lacks a media type as well, so any 4xx is right.
      requestBody === null ? status !== null && status >= 400 : status === 400 || status === 422;
    const groups = Map.groupBy(starts, bodyOf);
    return {
      applied: starts.filter(isJudged).length,
      breaches: [...groups.values()].flatMap((group) =>
        breachesAmong(group, fits, (one) => `a start with ${bodyOf(one)}: ${expected}`),
      ),
    };
  });

const contentTypeRequired = ofBodies(
  'upload/content-type-is-required',
  'no start without contentType, a string of at least one character, succeeds',
  (body) => !isObject(body) || typeof body.contentType !== 'string' || body.contentType === '',
  'refused with 400 or 422, because contentType is required and a string of at least one character',
);

const noAdditional = ofBodies(
  'upload/no-additional-properties',
  'no start with a property besides contentType succeeds',
  (body) => isObject(body) && Object.keys(body).some((name) => name !== 'contentType'),
  'refused with 400 or 422, because no property besides contentType is allowed',
);

/** Whether a gateway has no reason to refuse the id. */
const isPlain = ({ params: { id = '' } }: Exchange) => /^[\w-]{1,64}$/.test(id);

/** So many random short numbers are not all sites by chance. */
const minShort = 8;

/** A number that may be the id of a site which the target file does not name. */
const mayBeASite = ({ params: { id = '' } }: Exchange) => /^\d{1,10}$/.test(id);

const ofSites = (rule: Law['rule'], title: string, record: 'unknown' | 'theirs', words: string): Law =>
  lawOf(rule, title, (history) => {
    const existing = new Set(
      [deploymentIn(history).tenant, deploymentIn(history).stranger].flatMap((tenant) =>
        [tenant?.sites?.current, tenant?.sites?.legacy, tenant?.clientSite?.site].map((id) => plainId(id ?? '')),
      ),
    );
    // The specification does not say whether ids that differ only in case or in leading zeros are the same.
    const starts = startsOf(history, record).filter(
      (exchange) =>
        // A gateway may refuse an odd id in its own way, but only a look-up makes it a success.
        (isPlain(exchange) || succeeded(exchange)) &&
        (record === 'theirs' || !existing.has(plainId(exchange.params.id ?? ''))),
    );
    // Of a few random numbers at most one or two are sites by chance.
    const short = starts.filter(mayBeASite);
    const someAre = short.some((one) => isJudged(one) && !succeeded(one)) || short.length < minShort;
    // A number that is a site is one every time.
    const noSites = new Set(starts.filter(({ status }) => status === 404).map(({ params }) => params.id));
    const maySucceed = (one: Exchange) => someAre && mayBeASite(one) && !noSites.has(one.params.id);
    const judged = starts.filter((one) => !(succeeded(one) && maySucceed(one)));
    return {
      applied: judged.filter(isJudged).length,
      breaches: [...Map.groupBy(judged, ({ params }) => params.id).values()].flatMap((group) =>
        breachesAmong(
          group,
          ({ status }) => status === 404,
          (one) => `${nameOf(one)}, ${words}: 404`,
        ),
      ),
    };
  });

/** Laws about the first step of an upload. */
export const uploadStart: readonly Law[] = [
  startIs201,
  fileKeys,
  urls,
  expiries,
  lives,
  contentTypeRequired,
  noAdditional,
  ofSites(
    'upload/unknown-site-is-404',
    'every start for a site that does not exist is answered 404',
    'unknown',
    'which does not exist',
  ),
  ofSites(
    'upload/foreign-site-is-404',
    'every start for a site of another tenant is answered 404',
    'theirs',
    'which is of another tenant',
  ),
];
