import { type Exchange, isObject, objectIn, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Asked, askedBy } from '../judging/asked.ts';
import { type Breach, type Law, lawOf, once } from '../judging/law.ts';
import { answerOf, askedJson, breachesAmong, fileKeyAsked, says, type Upload, uploadsIn } from './uploads-in.ts';

/** A registration to which nothing can be objected but the state of its fileKey. */
interface Registration {
  readonly exchange: Exchange;
  readonly asked: Asked;
  /** Undefined where nobody issued the fileKey. */
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

/** At the site, and by the tenant, that the fileKey was issued for. */
const isAtHome = (one: Registration): one is Registration & { readonly upload: Upload } =>
  one.upload !== undefined && isOf(one, one.upload) && one.exchange.params.id === one.upload.site;

/** It succeeded, or nobody knows. */
const mayHave = ({ status }: Exchange) => status === null || status < 300 || status >= 500;

const bytesThere = ({ puts }: Upload, { sentAt, n }: Exchange) =>
  puts.some((put) => succeeded(put) && put.twist === null && put.n < n && put.doneAt <= sentAt);

const bytesMayBeThere = ({ puts }: Upload, { doneAt, n }: Exchange) =>
  puts.some((put) => mayHave(put) && (put.n < n || put.sentAt < doneAt));

/** Another request may have registered the fileKey before this one was answered. */
const mayBeRegistered = ({ registrations }: Upload, exchange: Exchange) =>
  registrations.some(
    (other) => other !== exchange && mayHave(other) && (other.n < exchange.n || other.sentAt < exchange.doneAt),
  );

const namesIn = (exchange: Exchange) =>
  Object.keys(Object(askedJson(exchange)))
    .sort()
    .join();

const takes: Law = {
  id: 'upload/register-takes-file-key',
  rule: 'upload/register-takes-file-key',
  title: 'the fileKey of uploaded bytes is registered, once they are there, by every key of its tenant that may',
  judge(history) {
    const none = !history.exchanges.some(isRegistered);
    const ready = registrationsIn(history)
      .filter(isAtHome)
      .filter(
        ({ exchange, upload }) =>
          bytesThere(upload, exchange) &&
          // Where no registration has ever succeeded, those that broke down before excuse nothing.
          (!mayBeRegistered(upload, exchange) || (none && (exchange.status ?? 0) >= 500)),
      );
    const uploads = new Map(ready.map(({ exchange, upload }) => [exchange, upload]));
    // Other fields of the request are not shown: one that is missing may be what a 400 or 422 objects to.
    const proven = new Set(history.exchanges.filter(isRegistered).map(namesIn));
    const forWant = (exchange: Exchange) =>
      (exchange.status === 400 || exchange.status === 422) && !proven.has(namesIn(exchange));
    const judged = ready.map(({ exchange }) => exchange).filter((exchange) => !forWant(exchange));
    const never = ready.filter(
      ({ exchange, upload }) => forWant(exchange) && !upload.registrations.some((other) => mayHave(other)),
    );
    const expected = ({ params, key }: Exchange) => `registering uploaded bytes at site ${params.id} by ${key}: a 2xx`;
    // One file that breaks it each time is no chance, whatever becomes of others.
    const ofOne = Map.groupBy(
      registrationsIn(history)
        .filter(isAtHome)
        .filter(({ exchange, upload }) => bytesThere(upload, exchange)),
      ({ upload }) => upload,
    );
    const breaches = [
      ...breachesAmong(judged, succeeded, expected),
      ...[...ofOne.values()].flatMap((those) =>
        breachesAmong(
          those.map(({ exchange }) => exchange),
          says,
          expected,
        ),
      ),
    ];
    return {
      applied: judged.filter(says).length,
      breaches: breaches.map((breach) => withSteps(breach, uploads.get(breach.exchange))),
      unclear: never.map(
        ({ exchange }) =>
          `registering is answered ${answerOf(exchange)}, perhaps for want of a field that the specification does not show (upload.registration in the target file)`,
      ),
    };
  },
};

const isRegistered = (exchange: Exchange) => exchange.operation === 'registerSiteFile' && succeeded(exchange);

/** The steps of the flow that a breach cannot be understood without, and the refused requests that may have been carried out. */
function withSteps(breach: Breach, upload: Upload | undefined): Breach {
  if (upload === undefined) return breach;
  const before = upload.registrations.filter(({ n }) => n < breach.exchange.n);
  const put = upload.puts.filter(succeeded).slice(-1);
  return { ...breach, with: [upload.start, ...put, ...before, ...(breach.with ?? [])] };
}

const fields = ['fileKey', 'siteId', 'name', 'contentType', 'size', 'createdAt'];

const reply: Law = {
  id: 'upload/registration-reply',
  rule: 'upload/registration-reply',
  title: `every registration is answered 201 with ${fields.join(', ')}`,
  judge(history) {
    const registered = registrationsIn(history).filter(({ exchange }) => succeeded(exchange));
    const [first] = registered;
    return {
      applied: registered.length,
      breaches: registered.flatMap(({ exchange, upload }) => {
        const observed = oddIn(exchange, upload);
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
};

const namesOf = (exchange: Exchange) => Object.keys(objectIn(exchange));

/** What is otherwise about the reply to a registration than we took it to be; null where nothing is. */
function oddIn(exchange: Exchange, upload: Upload | undefined): string | null {
  const names = namesOf(exchange);
  if (exchange.status !== 201 || names.some((name) => !fields.includes(name)))
    return `${exchange.status} with ${names.join(', ') || 'no fields'}`;
  const record = objectIn(exchange);
  const [put] = upload?.puts.filter((one) => succeeded(one) && one.doneAt <= exchange.sentAt).slice(-1) ?? [];
  const meant = {
    fileKey: fileKeyAsked(exchange),
    siteId: exchange.params.id,
    ...(upload && { contentType: upload.contentType }),
    ...(put && { size: put.requestBytes }),
  };
  const [wrong] = Object.entries(meant).filter(([name, value]) => name in record && record[name] !== value);
  return wrong === undefined
    ? null
    : `${wrong[0]} is ${JSON.stringify(record[wrong[0]])}, not ${JSON.stringify(wrong[1])}`;
}

/** A law of registrations in one state of their fileKey, for which the specification gives no answer. */
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
      .filter(isAtHome)
      .filter((one) => says(one.exchange) && concerns(one));
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

const codeIn = (exchange: Exchange): string | undefined => {
  const { error } = objectIn(exchange);
  return isObject(error) && typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
};

const answerIn = (exchange: Exchange) => {
  const code = codeIn(exchange);
  return { status: exchange.status ?? 0, ...(code !== undefined && { code }) };
};

const beforePut = openQuestion(
  'upload/register-before-put-is-422',
  'registering a fileKey whose bytes were never sent is answered 422',
  422,
  ({ exchange, upload }) => !bytesMayBeThere(upload, exchange) && !mayBeRegistered(upload, exchange),
  'registerBeforePut',
  'registering a fileKey whose bytes were never sent',
);

const twice = openQuestion(
  'upload/register-twice-is-409',
  'registering a fileKey that is registered is answered 409',
  409,
  ({ exchange, upload }) =>
    bytesThere(upload, exchange) &&
    upload.registrations.some(
      (other) =>
        // Of two at once, one may succeed.
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
        says(exchange) &&
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

const strangers: Law = {
  id: 'isolation/writes-stay-in-tenant/files',
  rule: 'isolation/writes-stay-in-tenant',
  title:
    'no fileKey that was issued to one tenant is registered by a key of another, whatever site is named, nor used up by the attempt',
  judge(history) {
    const all = registrationsIn(history);
    const foreign = all.filter((one) => one.upload !== undefined && !isOf(one, one.upload) && says(one.exchange));
    const expected = "another tenant's fileKey is not registered";
    const breaches: Breach[] = foreign
      .filter(({ exchange }) => succeeded(exchange))
      .map(({ exchange, upload }) =>
        withSteps({ exchange, expected, observed: `${exchange.status} for ${exchange.key}` }, upload),
      );
    // A refused attempt that was carried out shows when the fileKey's own tenant comes.
    for (const { exchange, upload } of all.filter(isAtHome)) {
      const attempts = foreign.filter((one) => one.upload === upload && one.exchange.doneAt <= exchange.sentAt);
      const [culprit] = attempts;
      const usedUp = exchange.status === 409 || exchange.status === 404;
      if (culprit === undefined || !usedUp || !bytesThere(upload, exchange) || mayBeRegistered(upload, exchange))
        continue;
      const observed = `${answerOf(exchange)} for its own tenant, after ${culprit.exchange.key} tried`;
      breaches.push(
        withSteps(
          { exchange, expected: 'a refused attempt of another tenant leaves a fileKey as it was', observed },
          upload,
        ),
      );
    }
    return { applied: foreign.length, breaches };
  },
};

/** The third step of the upload flow. */
export const uploadRegister: readonly Law[] = [takes, reply, beforePut, twice, unknownKeys, strangers];
