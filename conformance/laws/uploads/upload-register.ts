import { type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Asked, askedBy } from '../judging/asked.ts';
import { answerOf, errorCode } from '../judging/error-body.ts';
import { type Breach, type Law, lawOf, once } from '../judging/law.ts';
import { answered } from '../judging/served.ts';
import { askedJson, breachesAmong, fileKeyAsked, type Upload, uploadsIn } from './uploads-in.ts';

/** A registration that can be refused only because of its site or fileKey. */
interface Registration {
  readonly exchange: Exchange;
  readonly asked: Asked;
  /** Undefined where no reply contained the fileKey. */
  readonly upload: Upload | undefined;
}

const registrationsIn = once((history: History): readonly Registration[] => {
  const byFileKey = new Map(uploadsIn(history).map((upload) => [upload.fileKey, upload]));
  return history.exchanges.flatMap((exchange) => {
    if (exchange.operation !== 'registerSiteFile' || exchange.twist !== null) return [];
    const asked = askedBy(exchange, history);
    if (!asked.authenticates || asked.lacks.length > 0 || typeof fileKeyAsked(exchange) !== 'string') return [];
    return [{ exchange, asked, upload: byFileKey.get(fileKeyAsked(exchange)) }];
  });
});

const isOf = ({ asked }: Registration, upload: Upload) => asked.tenant?.name === upload.tenant;

/** Whether the tenant and site are those of the fileKey. */
const isOwnFile = (one: Registration): one is Registration & { readonly upload: Upload } =>
  one.upload !== undefined && isOf(one, one.upload) && one.exchange.params.id === one.upload.site;

/** Whether the request may have taken effect. */
const mayHaveSucceeded = ({ status }: Exchange) => status === null || status < 300 || status >= 500;

const areBytesStored = ({ puts }: Upload, { sentAt, n }: Exchange) =>
  puts.some((put) => succeeded(put) && put.twist === null && put.n < n && put.doneAt <= sentAt);

const mayBytesBeStored = ({ puts }: Upload, { doneAt, n }: Exchange) =>
  puts.some((put) => mayHaveSucceeded(put) && (put.n < n || put.sentAt < doneAt));

/** Another request may have registered the fileKey before this one was answered. */
const mayBeRegistered = ({ registrations }: Upload, exchange: Exchange) =>
  registrations.some(
    (other) =>
      other !== exchange && mayHaveSucceeded(other) && (other.n < exchange.n || other.sentAt < exchange.doneAt),
  );

const namesIn = (exchange: Exchange) =>
  Object.keys(Object(askedJson(exchange)))
    .sort()
    .join();

const takes = lawOf(
  'upload/register-takes-file-key',
  'once the bytes are uploaded, every permitted key of the tenant can register the fileKey',
  (history) => {
    const none = !history.exchanges.some(isRegistered);
    const ready = registrationsIn(history)
      .filter(isOwnFile)
      .filter(
        ({ exchange, upload }) =>
          areBytesStored(upload, exchange) &&
          // An earlier 5xx may have registered the file, but not if no registration ever succeeds.
          (!mayBeRegistered(upload, exchange) || (none && (exchange.status ?? 0) >= 500)),
      );
    const uploads = new Map(ready.map(({ exchange, upload }) => [exchange, upload]));
    // The other fields of a registration are not documented, so a 400 or 422 may be due to a missing field.
    const sufficientFields = new Set(history.exchanges.filter(isRegistered).map(namesIn));
    const mayLackField = (exchange: Exchange) =>
      (exchange.status === 400 || exchange.status === 422) && !sufficientFields.has(namesIn(exchange));
    const judged = ready.map(({ exchange }) => exchange).filter((exchange) => !mayLackField(exchange));
    const undecided = ready.filter(
      ({ exchange, upload }) =>
        mayLackField(exchange) && !upload.registrations.some((other) => mayHaveSucceeded(other)),
    );
    const expected = ({ params, key }: Exchange) => `registering uploaded bytes at site ${params.id} by ${key}: a 2xx`;
    // A file whose registration always fails is a breach, even if those of other files succeed.
    const byUpload = Map.groupBy(
      registrationsIn(history)
        .filter(isOwnFile)
        .filter(({ exchange, upload }) => areBytesStored(upload, exchange)),
      ({ upload }) => upload,
    );
    const breaches = [
      ...breachesAmong(judged, succeeded, expected, { unanswered: true }),
      ...[...byUpload.values()].flatMap((group) =>
        breachesAmong(
          group.map(({ exchange }) => exchange),
          answered,
          expected,
        ),
      ),
    ];
    return {
      applied: judged.filter(answered).length,
      breaches: breaches.map((breach) => withSteps(breach, uploads.get(breach.exchange))),
      unclear: undecided.map(
        ({ exchange }) =>
          `registering is answered ${answerOf(exchange)}, perhaps because of a missing field that the specification does not document: give it as upload.registration in the target file`,
      ),
    };
  },
);

const isRegistered = (exchange: Exchange) => exchange.operation === 'registerSiteFile' && succeeded(exchange);

/** Adds the earlier steps of the upload to a breach. */
function withSteps(breach: Breach, upload: Upload | undefined): Breach {
  if (upload === undefined) return breach;
  const before = upload.registrations.filter(({ n }) => n < breach.exchange.n);
  const put = upload.puts.filter(succeeded).slice(-1);
  return { ...breach, with: [upload.start, ...put, ...before, ...(breach.with ?? [])] };
}

const fields = ['fileKey', 'siteId', 'name', 'contentType', 'size', 'createdAt'];

const reply = lawOf(
  'upload/registration-reply',
  `every registration is answered 201 with ${fields.join(', ')}`,
  (history) => {
    const registered = registrationsIn(history).filter(({ exchange }) => succeeded(exchange));
    const [first] = registered;
    return {
      applied: registered.length,
      breaches: registered.flatMap(({ exchange, upload }) => {
        const observed = differenceIn(exchange, upload);
        return observed === null ? [] : [{ exchange, expected: `201 with ${fields.join(', ')}`, observed }];
      }),
      ...(first && {
        answers: [
          `registering is answered ${first.exchange.status} with ${namesOf(first.exchange).join(', ') || 'no fields'}`,
        ],
        ...(first.exchange.status !== null && { profile: [{ upload: { registerStatus: first.exchange.status } }] }),
      }),
    };
  },
);

const namesOf = (exchange: Exchange) => Object.keys(objectIn(exchange));

/** How the reply to a registration differs from our assumption, in words; null where it does not. */
function differenceIn(exchange: Exchange, upload: Upload | undefined): string | null {
  const names = namesOf(exchange);
  if (exchange.status !== 201 || names.some((name) => !fields.includes(name)))
    return `${exchange.status} with ${names.join(', ') || 'no fields'}`;
  const record = objectIn(exchange);
  const [put] = upload?.puts.filter((one) => succeeded(one) && one.doneAt <= exchange.sentAt).slice(-1) ?? [];
  const assumed = {
    fileKey: fileKeyAsked(exchange),
    siteId: exchange.params.id,
    ...(upload && { contentType: upload.contentType }),
    ...(put && { size: put.requestBytes }),
  };
  const [wrong] = Object.entries(assumed).filter(([name, value]) => name in record && record[name] !== value);
  return wrong === undefined
    ? null
    : `${wrong[0]} is ${JSON.stringify(record[wrong[0]])}, not ${JSON.stringify(wrong[1])}`;
}

/** A law about an open question: the reply to a registration in a certain state of the fileKey. */
const openQuestion = (
  rule: Law['rule'],
  title: string,
  status: number,
  concerns: (one: Registration & { readonly upload: Upload }) => boolean,
  place: 'registerTwice' | 'registerBeforePut',
  words: string,
): Law =>
  lawOf(rule, title, (history) => {
    const concerned = registrationsIn(history)
      .filter(isOwnFile)
      .filter((one) => answered(one.exchange) && concerns(one));
    return {
      applied: concerned.length,
      breaches: concerned
        .filter(({ exchange }) => exchange.status !== status)
        .map(({ exchange, upload }) =>
          withSteps({ exchange, expected: `${words}: ${status}`, observed: answerOf(exchange) }, upload),
        ),
      answers: concerned.map(({ exchange }) => `${words} is answered ${answerOf(exchange)}`),
      profile: concerned.slice(0, 1).map(({ exchange }) => ({ upload: { [place]: answerIn(exchange) } })),
    };
  });

const answerIn = (exchange: Exchange) => {
  const code = errorCode(exchange);
  return { status: exchange.status ?? 0, ...(code !== undefined && { code }) };
};

const beforePut = openQuestion(
  'upload/register-before-put-is-422',
  'registering a fileKey whose bytes were never sent is answered 422',
  422,
  ({ exchange, upload }) => !mayBytesBeStored(upload, exchange) && !mayBeRegistered(upload, exchange),
  'registerBeforePut',
  'registering a fileKey whose bytes were never sent',
);

const twice = openQuestion(
  'upload/register-twice-is-409',
  'registering a fileKey that is registered is answered 409',
  409,
  ({ exchange, upload }) =>
    areBytesStored(upload, exchange) &&
    upload.registrations.some(
      (other) =>
        // Of two concurrent registrations, one may succeed.
        succeeded(other) && (other.doneAt <= exchange.sentAt || (other.n < exchange.n && succeeded(exchange))),
    ),
  'registerTwice',
  'registering a fileKey again',
);

const unknownKeys: Law = {
  id: 'errors/unknown-is-404/file-key',
  rule: 'errors/unknown-is-404',
  title: 'registering a fileKey that nobody issued, or that was issued for another site, is answered 404',
  judge(history) {
    const concerned = registrationsIn(history).filter(
      ({ exchange, asked, upload }) =>
        answered(exchange) &&
        asked.record === 'ours' &&
        (upload === undefined || (upload.tenant === asked.tenant?.name && upload.site !== exchange.params.id)),
    );
    const wordsOf = ({ upload }: Registration) =>
      upload === undefined ? 'registering a fileKey that nobody issued' : 'registering the fileKey of another site';
    return {
      applied: concerned.length,
      breaches: concerned
        .filter(({ exchange }) => exchange.status !== 404)
        .map((one) => ({ exchange: one.exchange, expected: `${wordsOf(one)}: 404`, observed: answerOf(one.exchange) })),
      answers: concerned.map((one) => `${wordsOf(one)} is answered ${answerOf(one.exchange)}`),
      profile: concerned
        .filter(({ exchange }) => (exchange.status ?? 0) >= 400)
        .map(({ exchange, upload }) => ({
          errors: { [upload === undefined ? 'unknown-file-key' : 'foreign-file-key']: answerIn(exchange) },
        })),
    };
  },
};

/** Registrations that found the fileKey used up, though every earlier one that could have used it up was answered with this status. */
export function usedUpBy(status: number, history: History): Breach[] {
  const all = registrationsIn(history).filter(isOwnFile);
  if (!all.some(({ exchange }) => succeeded(exchange))) return [];
  return all.flatMap(({ exchange, upload }): Breach[] => {
    const culprit = upload.registrations.find((one) => one.status === status && one.doneAt <= exchange.sentAt);
    if (culprit === undefined || !isUsedUp(exchange, upload)) return [];
    const expected = `a request that was answered ${status} has not registered the file`;
    const observed = `${answerOf(exchange)} to the next registration, after one was answered ${status}`;
    return [withSteps({ exchange, expected, observed }, upload)];
  });
}

/** Whether the fileKey of stored bytes is refused as if registered, though no earlier reply allows for a registration. */
const isUsedUp = (exchange: Exchange, upload: Upload) =>
  (exchange.status === 409 || exchange.status === 404) &&
  areBytesStored(upload, exchange) &&
  !mayBeRegistered(upload, exchange);

const strangers: Law = {
  id: 'isolation/writes-stay-in-tenant/files',
  rule: 'isolation/writes-stay-in-tenant',
  title: 'a key of another tenant can neither register a fileKey nor use it up, whichever site the request names',
  judge(history) {
    const all = registrationsIn(history);
    const foreign = all.filter((one) => one.upload !== undefined && !isOf(one, one.upload) && answered(one.exchange));
    const expected = "another tenant's fileKey is not registered";
    const breaches: Breach[] = foreign
      .filter(({ exchange }) => succeeded(exchange))
      .map(({ exchange, upload }) =>
        withSteps({ exchange, expected, observed: `${exchange.status} for ${exchange.key}` }, upload),
      );
    // If a refused attempt took effect, the registration by the file's own tenant fails.
    for (const { exchange, upload } of all.filter(isOwnFile)) {
      const attempts = foreign.filter((one) => one.upload === upload && one.exchange.doneAt <= exchange.sentAt);
      const [culprit] = attempts;
      if (culprit === undefined || !isUsedUp(exchange, upload)) continue;
      const observed = `${answerOf(exchange)} for its own tenant, after ${culprit.exchange.key} had tried to register it`;
      breaches.push(
        withSteps(
          { exchange, expected: 'a refused attempt of another tenant does not change a fileKey', observed },
          upload,
        ),
      );
    }
    return { applied: foreign.length, breaches };
  },
};

/** Laws about the third step of an upload. */
export const uploadRegister: readonly Law[] = [takes, reply, beforePut, twice, unknownKeys, strangers];
