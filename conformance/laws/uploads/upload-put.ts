import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { deploymentIn } from '../judging/asked.ts';
import { type Breach, type Law, lawOf } from '../judging/law.ts';
import { answerOf, breachesAmong, says, type Upload, uploadsIn } from './uploads-in.ts';
import { surelyAlive, surelyExpiredAt, young } from './url-life.ts';

/** A PUT to an upload URL, with the upload it belongs to. */
interface PutOf {
  readonly put: Exchange;
  readonly upload: Upload;
}

const putsIn = (history: History): readonly PutOf[] =>
  uploadsIn(history).flatMap((upload) =>
    upload.puts.filter(({ twist }) => twist === null).map((put) => ({ put, upload })),
  );

const typeOf = ({ requestHeaders }: Exchange) => requestHeaders['content-type'];

/** Letter by letter the type that was asked for. */
const matches = ({ put, upload }: PutOf) => typeOf(put) === upload.contentType;

/** Without its parameters and its case, about which media types may or may not differ. */
const essence = (type: string | undefined) => type?.split(';')[0]?.trim().toLowerCase();

const differs = ({ put, upload }: PutOf) =>
  typeof upload.contentType === 'string' && essence(typeOf(put)) !== essence(upload.contentType);

/** The URL is new and has taken nothing yet: whether it takes bytes twice, the specification does not say. */
const isFresh = ({ put, upload }: PutOf) =>
  put.sentAt <= upload.start.doneAt + young &&
  !upload.puts.some((one) => one.n < put.n && (succeeded(one) || one.status === null));

/** Beyond what requests to the API may have, whichever megabyte is meant. */
const tenMegabytes = 10 * 1024 * 1024;

const withStart = (breach: Breach, puts: readonly PutOf[]): Breach => {
  const start = puts.find(({ put }) => put === breach.exchange)?.upload.start;
  return { ...breach, with: [...(start ? [start] : []), ...(breach.with ?? [])] };
};

const words = ({ put, upload }: PutOf) =>
  `a PUT of ${put.requestBytes} bytes with Content-Type ${typeOf(put) ?? 'missing'}, where ${String(upload.contentType)} was asked for,`;

/** Whether the storage looks at signatures at all: the specification does not say that it must. */
function signatureAnswers(history: History): readonly string[] {
  const altered = uploadsIn(history).flatMap(({ puts }) =>
    puts.filter((put) => put.twist === 'signature/altered' && says(put)),
  );
  if (altered.length === 0) return [];
  return altered.some(succeeded)
    ? ['signatures are not verified: a URL whose signature was altered takes bytes']
    : ['signatures are verified'];
}

/** A law of the first PUTs with the type that was asked for. */
const taken = (rule: Law['rule'], title: string, size: (bytes: number) => boolean, unanswered: boolean): Law =>
  lawOf(rule, title, (history) => {
    const puts = putsIn(history).filter((one) => matches(one) && isFresh(one) && size(one.put.requestBytes));
    const byPut = new Map(puts.map((one) => [one.put, one]));
    const expected = (put: Exchange) => `${words(byPut.get(put) as PutOf)} succeeds, without a key`;
    const breaches = breachesAmong([...byPut.keys()], succeeded, expected, { unanswered });
    const again = uploadsIn(history).flatMap(({ puts: all }) => all.filter((one) => one.twist === null && says(one)));
    const first = again.find(succeeded);
    const answers = [...(first ? [`bytes are taken with ${first.status}`] : []), ...signatureAnswers(history)];
    const lost = puts.every(({ put }) => put.status === null) && puts.length > 0 && breaches.length === 0;
    return {
      applied: puts.filter(({ put }) => put.status !== null).length,
      breaches: breaches.map((breach) => withStart(breach, puts)),
      ...(lost && { unclear: [`no PUT was answered: ${puts[0]?.put.failure}`] }),
      ...(answers.length > 0 && { answers }),
      ...(first && first.status !== null && { profile: [{ upload: { putStatus: first.status } }] }),
    };
  });

const mismatch: Law = {
  id: 'upload/put-content-type-must-match',
  rule: 'upload/put-content-type-must-match',
  title: 'every PUT whose Content-Type is not the one that was asked for is refused',
  judge(history) {
    const puts = putsIn(history).filter(
      (one) =>
        differs(one) && says(one.put) && surelyAlive(one.upload, one.put, deploymentIn(history).clockSkewSeconds),
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
};

const expired: Law = {
  id: 'upload/expired-url-is-refused',
  rule: 'upload/expired-url-is-refused',
  title: 'once its uploadUrlExpiresAt has passed, every PUT to a URL is refused',
  judge(history) {
    const { clockSkewSeconds: skew } = deploymentIn(history);
    const late = putsIn(history).filter(
      (one) => matches(one) && says(one.put) && one.put.sentAt > surelyExpiredAt(one.upload, skew),
    );
    const unclear = uploadsIn(history)
      .filter(({ start, expiresAt, puts }) => {
        const last = puts.at(-1);
        return (
          last !== undefined && expiresAt !== null && last.sentAt > start.doneAt + 300_000 && last.sentAt < expiresAt
        );
      })
      .map(() => 'uploadUrlExpiresAt lies further ahead than a run waits');
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
};

const directBytes: Law = {
  id: 'upload/no-direct-bytes',
  rule: 'upload/no-direct-bytes',
  title: 'no bytes of a file that are sent to the API itself are taken',
  judge({ exchanges }) {
    const sent = exchanges.filter((exchange) => exchange.twist?.startsWith('direct-bytes/') && says(exchange));
    return {
      applied: sent.length,
      breaches: sent.filter(succeeded).map((exchange) => ({
        exchange,
        expected: `${exchange.method} of ${exchange.requestHeaders['content-type']} to the API is not taken: bytes go to uploadUrl`,
        observed: answerOf(exchange),
      })),
    };
  },
};

/** The second step of the upload flow. */
export const uploadPut: readonly Law[] = [
  taken(
    'upload/put-accepts-bytes',
    'bytes of the type that was asked for are taken at every upload URL, without a key',
    (bytes) => bytes <= tenMegabytes,
    true,
  ),
  taken(
    'upload/file-may-exceed-10mb',
    'a file larger than the API’s request limit goes through its upload URL',
    (bytes) => bytes > tenMegabytes,
    false,
  ),
  mismatch,
  expired,
  directBytes,
];
