import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../judging/asked.ts';
import { answerOf } from '../judging/error-body.ts';
import { type Breach, type Law, lawOf, lawOfReplies } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { breachesAmong, type Upload, uploadsIn } from './uploads-in.ts';
import { surelyAlive, surelyExpiredAt, young } from './url-life.ts';

/** A PUT to an upload URL, with its upload. */
interface PutOf {
  readonly put: Exchange;
  readonly upload: Upload;
}

const putsIn = (history: History): readonly PutOf[] =>
  uploadsIn(history).flatMap((upload) =>
    upload.puts.filter(({ twist }) => twist === null).map((put) => ({ put, upload })),
  );

const typeOf = ({ requestHeaders }: Exchange) => requestHeaders['content-type'];

/** Whether the PUT has exactly the content type of the start. */
const matches = ({ put, upload }: PutOf) => typeOf(put) === upload.contentType;

/** The media type in lower case, without parameters. A difference only in these may be allowed. */
const essence = (type: string | undefined) => type?.split(';')[0]?.trim().toLowerCase();

const differs = ({ put, upload }: PutOf) =>
  typeof upload.contentType === 'string' && essence(typeOf(put)) !== essence(upload.contentType);

/** Whether the URL is new and was not used yet. The specification does not say whether a URL may be used twice. */
const isFresh = ({ put, upload }: PutOf) =>
  put.sentAt <= upload.start.doneAt + young &&
  !upload.puts.some((one) => one.n < put.n && (succeeded(one) || one.status === null));

/** The limit of requests to the API, in the larger reading of 10 MB. */
const tenMegabytes = 10 * 1024 * 1024;

const withStart = (breach: Breach, puts: readonly PutOf[]): Breach => {
  const start = puts.find(({ put }) => put === breach.exchange)?.upload.start;
  return { ...breach, with: [...(start ? [start] : []), ...(breach.with ?? [])] };
};

/** No client has to follow a redirect with the bytes of a file. The target of the redirect may be signed, so the message does not show it. */
const withRedirect = (breach: Breach): Breach => {
  const { status } = breach.exchange;
  const isRedirect = status !== null && status >= 300 && status < 400;
  const observed = `${status}, a redirect, which is not followed: bytes are PUT directly to uploadUrl. Give the URL that takes the bytes as uploadUrl`;
  return isRedirect ? { ...breach, observed } : breach;
};

const words = ({ put, upload }: PutOf) =>
  `a PUT of ${put.requestBytes} bytes with Content-Type ${typeOf(put) ?? 'missing'}, where ${String(upload.contentType)} was asked for,`;

/** So many closed connections are no chance. A run tries each PUT several times. */
const minClosed = 2;

/** Whether the other side ended the connection, as a gateway does that refuses a large body. A slow network ends in a time-out. */
const isClosed = ({ status, failure }: Exchange) =>
  status === null && /EPIPE|ECONNRESET|closed|hang up/i.test(failure ?? '');

/**
 * A law about the first PUT to each URL with the right type.
 * @param unanswered whether PUTs that never get a reply are a breach
 */
const accepted = (rule: Law['rule'], title: string, size: (bytes: number) => boolean, unanswered: boolean): Law =>
  lawOf(rule, title, (history) => {
    const puts = putsIn(history).filter((one) => matches(one) && isFresh(one) && size(one.put.requestBytes));
    const byPut = new Map(puts.map((one) => [one.put, one]));
    const expected = (put: Exchange) => `${words(byPut.get(put) as PutOf)} succeeds, without a key`;
    const breaches = breachesAmong([...byPut.keys()], succeeded, expected, { unanswered }).map(withRedirect);
    const answeredPuts = putsIn(history).flatMap(({ put }) => (answered(put) ? [put] : []));
    const first = answeredPuts.find(succeeded);
    const lost = puts.every(({ put }) => put.status === null) && puts.length > 0 && breaches.length === 0;
    const tries = putsIn(history).flatMap((one) => (matches(one) && size(one.put.requestBytes) ? [one.put] : []));
    const [cut] = tries;
    // A network that closed every connection would not let smaller files pass.
    if (lost && cut && first && tries.length >= minClosed && tries.every(isClosed)) {
      const observed = `the connection was closed, all ${tries.length} times (${cut.failure}), while smaller files pass`;
      return { applied: tries.length, breaches: [{ exchange: cut, expected: expected(cut), observed }] };
    }
    return {
      applied: puts.filter(({ put }) => put.status !== null).length,
      breaches: breaches.map((breach) => withStart(breach, puts)),
      ...(lost && { unclear: [`no PUT was answered: ${puts[0]?.put.failure}`] }),
      ...(first && { answers: [`a PUT is answered ${first.status}`] }),
      ...(first && first.status !== null && { profile: [{ upload: { putStatus: first.status } }] }),
    };
  });

const mismatch = lawOf(
  'upload/put-content-type-must-match',
  'every PUT whose Content-Type is not the one that was asked for is refused',
  (history) => {
    const puts = putsIn(history).filter(
      (one) =>
        differs(one) && answered(one.put) && surelyAlive(one.upload, one.put, deploymentIn(history).clockSkewSeconds),
    );
    return {
      applied: puts.length,
      breaches: puts
        .filter(({ put }) => succeeded(put))
        .map((one) => ({
          exchange: one.put,
          expected: `${words(one)} is refused`,
          observed: String(one.put.status),
          with: [one.upload.start],
        })),
    };
  },
);

const signatures = lawOfReplies({
  rule: 'upload/signature-is-verified',
  title: 'a PUT with an altered signature, or with that of another upload, is refused',
  applies: (exchange) => exchange.twist?.startsWith('signature/') === true && answered(exchange),
  judge: (exchange) =>
    succeeded(exchange)
      ? {
          expected: `a refusal: ${exchange.twist === 'signature/altered' ? 'the signature was altered' : 'the query is that of another upload'}`,
          observed: answerOf(exchange),
        }
      : null,
});

const expired = lawOf(
  'upload/expired-url-is-refused',
  'once its uploadUrlExpiresAt has passed, every PUT to a URL is refused',
  (history) => {
    const { clockSkewSeconds: skew } = deploymentIn(history);
    const late = putsIn(history).filter(
      (one) => matches(one) && answered(one.put) && one.put.sentAt > surelyExpiredAt(one.upload, skew),
    );
    const unclear = uploadsIn(history)
      .filter(({ start, expiresAt, puts }) => {
        const last = puts.at(-1);
        return (
          last !== undefined && expiresAt !== null && last.sentAt > start.doneAt + 300_000 && last.sentAt < expiresAt
        );
      })
      .map(() => 'uploadUrlExpiresAt is later than a run waits');
    return {
      applied: late.length,
      breaches: late
        .filter(({ put }) => succeeded(put))
        .map(({ put, upload }) => ({
          exchange: put,
          expected: 'a PUT after uploadUrlExpiresAt is refused',
          observed: `${answerOf(put)}, ${Math.round((put.sentAt - (upload.expiresAt ?? 0)) / 1000)} s after it`,
          with: [upload.start],
        })),
      unclear,
    };
  },
);

const directBytes = lawOf(
  'upload/no-direct-bytes',
  'no bytes of a file that are sent to the API itself are taken',
  ({ exchanges }) => {
    const sent = exchanges.filter((exchange) => exchange.twist?.startsWith('direct-bytes/') && answered(exchange));
    return {
      applied: sent.length,
      breaches: sent.filter(succeeded).map((exchange) => ({
        exchange,
        expected: `${exchange.method} of ${exchange.requestHeaders['content-type']} to the API is refused: bytes go to uploadUrl`,
        observed: answerOf(exchange),
      })),
    };
  },
);

/** Laws about the second step of an upload. */
export const uploadPut: readonly Law[] = [
  accepted(
    'upload/put-accepts-bytes',
    'bytes of the type that was asked for are taken at every upload URL, without a key',
    (bytes) => bytes <= tenMegabytes,
    true,
  ),
  accepted(
    'upload/file-may-exceed-10mb',
    'a file larger than the API’s request limit goes through its upload URL',
    (bytes) => bytes > tenMegabytes,
    false,
  ),
  mismatch,
  signatures,
  expired,
  directBytes,
];
