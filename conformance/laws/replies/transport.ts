import { operations } from '../../../spec/operations.ts';
import { byteOrderMark, type Exchange, jsonOf, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type Law, lawOf, lawOfReplies, once } from '../judging/law.ts';
import { answered, isLawful, lineOf, statusWords } from '../judging/served.ts';

const isApi = ({ operation }: Exchange) => operation !== null && operation !== 'storage';

const isEmpty = ({ body }: Exchange) => (body ?? '').trim() === '';

/** A read must have a body. A write may be answered without one where the reply is not documented. */
const mustHaveBody = ({ operation, status }: Exchange) =>
  operation !== null && operation !== 'storage' && operations[operation].method === 'GET' && status !== 204;

const replies = lawOfReplies({
  rule: 'transport/json-both-ways',
  title: 'the body of every successful reply is JSON',
  applies: (exchange) => isApi(exchange) && succeeded(exchange) && (!isEmpty(exchange) || mustHaveBody(exchange)),
  judge: (exchange) => {
    const expected = `JSON for ${lineOf(exchange)}`;
    // What systems exchange as JSON is UTF-8, whatever its header says.
    if (exchange.garbled)
      return { expected: `${expected}, in UTF-8`, observed: `${exchange.status} with bytes that are no UTF-8` };
    if (exchange.body?.startsWith(byteOrderMark))
      return { expected, observed: `${exchange.status} with a byte order mark before the JSON` };
    if (jsonOf(exchange) !== undefined) return null;
    return { expected, observed: isEmpty(exchange) ? `${exchange.status} with an empty body` : statusWords(exchange) };
  },
});

const start = 'startSiteFileUpload';

/** Starts with a plain JSON body, by tenant and site. */
const plainStarts = once((history: History) =>
  Map.groupBy(
    history.exchanges.filter((one) => one.operation === start && one.twist === null && isLawful(one, history)),
    placeOf,
  ),
);

const placeOf = ({ key, params }: Exchange) => `${key?.split('/')[0]} ${params.id}`;

/** Whether a start with plain JSON succeeded for the same site, so that only the spelling can be the problem. */
const isKnownToWork = (exchange: Exchange, history: History) =>
  (plainStarts(history).get(placeOf(exchange)) ?? []).some(succeeded);

/** Whether every start with JSON was refused because of its body: the deployment does not read JSON. */
const refusesAllJson = (history: History) => {
  const all = [...plainStarts(history).values()].flat().filter(answered);
  return all.length > 0 && all.every(({ status }) => status === 400 || status === 415 || status === 422);
};

const requests = lawOfReplies({
  rule: 'transport/json-both-ways',
  id: 'transport/json-both-ways/requests',
  title: 'a JSON request body is accepted in every lawful form: spaced, escaped, with a charset, in chunks',
  applies: (exchange, history) =>
    exchange.operation === start &&
    answered(exchange) &&
    // A server need not accept a body of unknown length.
    exchange.status !== 411 &&
    isLawful(exchange, history) &&
    (isKnownToWork(exchange, history) || refusesAllJson(history)),
  judge: (exchange, history) =>
    succeeded(exchange) || (exchange.twist === null && !refusesAllJson(history))
      ? null
      : { expected: `success: ${spelling(exchange)}`, observed: statusWords(exchange) },
});

const spellings: Readonly<Record<string, string>> = {
  'legal/spaced-and-escaped': 'JSON with white space and escapes',
  'legal/charset': 'JSON declared with its charset',
  'legal/any-reply': 'a request that accepts any reply',
  'legal/chunked': 'JSON in chunks',
  'size/small-chunked': 'JSON in chunks',
};

const spelling = ({ twist }: Exchange) => spellings[twist ?? ''] ?? 'plain JSON';

const malformed = lawOfReplies({
  rule: 'transport/json-both-ways',
  id: 'transport/json-both-ways/malformed',
  title: 'a request body that is not JSON is not accepted',
  applies: (exchange, history) =>
    exchange.twist?.startsWith('body/malformed-') === true &&
    exchange.twist !== 'body/malformed-file-key' &&
    exchange.operation === start &&
    answered(exchange) &&
    isKnownToWork(exchange, history),
  judge: (exchange) =>
    succeeded(exchange)
      ? { expected: `no success for a body that is not JSON: ${exchange.requestBody}`, observed: statusWords(exchange) }
      : null,
});

const contentType = lawOf('transport/json-content-type', 'replies in JSON say so', ({ exchanges }) => {
  const judged = exchanges.filter((one) => isApi(one) && jsonOf(one) !== undefined);
  const typeOf = ({ headers }: Exchange) => headers['content-type'] ?? 'none';
  return {
    applied: judged.length,
    breaches: judged
      .filter((one) => !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(typeOf(one)))
      .map((exchange) => ({ exchange, expected: 'application/json', observed: typeOf(exchange) })),
    answers: [...new Set(judged.map(typeOf))].sort(),
  };
});

/** Laws about JSON in requests and replies. */
export const transport: readonly Law[] = [replies, requests, malformed, contentType];
