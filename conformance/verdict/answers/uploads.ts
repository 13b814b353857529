/** What a deployment does with uploads where the specification is silent. */
import type { RefusalCase } from '../../../spec/files/profile-schema.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { isUnavailable } from '../../contract/judge.ts';
import { asks, isPlain } from '../../contract/uploads.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../../history/exchange.ts';
import type { OfWhole, Question } from './index.ts';
import { patchOf, refusalIn, wordsOf } from './refusals.ts';

type Place = RefusalCase | 'registerBeforePut' | 'registerTwice';

/** The rule, what is asked, its place in the profile, and the status that we assume. */
const asked: readonly (readonly [RuleId, string, Place, assumed: number])[] = [
  ['upload/register-before-put-is-422', asks.early, 'registerBeforePut', 422],
  ['upload/register-twice-is-409', asks.twice, 'registerTwice', 409],
  ['limits/too-large-is-413', asks.tooLarge, 'too-large', 413],
  ['errors/unknown-is-404', asks.unknown, 'unknown-file-key', 404],
  ['errors/unknown-is-404', asks.elsewhere, 'foreign-file-key', 404],
];

const fields = ['fileKey', 'siteId', 'name', 'contentType', 'size', 'createdAt'];

/** The questions about uploads. */
export const uploadQuestions: readonly Question[] = [
  ...asked.map(
    ([rule, topic, place, status]): Question => [
      rule,
      ({ mutation }, exchange) => {
        if (mutation?.id !== topic) return null;
        const isOfUpload = place === 'registerBeforePut' || place === 'registerTwice';
        const profile = isOfUpload ? { upload: { [place]: refusalIn(exchange) } } : patchOf(place, exchange);
        const assumed = exchange.status !== status && `${status} for ${topic}`;
        return { topic, words: wordsOf(exchange), profile, assumed };
      },
    ],
  ),
  [
    'upload/registration-reply',
    ({ operation }, exchange) => {
      if (exchange.operation !== operation || operation !== 'registerSiteFile') return null;
      if (!isPlain(exchange) || !succeeded(exchange)) return null;
      const observed = differenceIn(exchange);
      return {
        topic: 'registering',
        words: `${exchange.status} with ${Object.keys(objectIn(exchange)).join(', ') || 'no fields'}`,
        profile: { upload: { registerStatus: exchange.status ?? 0 } },
        ...(observed !== null && { assumed: `201 with ${fields.join(', ')}`, observed }),
      };
    },
  ],
];

/** How the reply to a registration differs from our assumption, in words; null where it does not. */
function differenceIn(exchange: Exchange): string | null {
  const reply = objectIn(exchange);
  const names = Object.keys(reply);
  if (exchange.status !== 201 || names.some((name) => !fields.includes(name)))
    return `${exchange.status} with ${names.join(', ') || 'no fields'}`;
  const request = jsonOrUndefined(exchange.requestBody ?? '');
  const assumed = { fileKey: isObject(request) ? request.fileKey : undefined, siteId: exchange.params.id };
  const wrong = Object.entries(assumed).find(([name, value]) => name in reply && reply[name] !== value);
  return wrong ? `${wrong[0]} is ${JSON.stringify(reply[wrong[0]])}, not ${JSON.stringify(wrong[1])}` : null;
}

const signatureWords = ({ tampered }: Exchange) =>
  tampered === 'altered' ? 'an altered signature' : 'the query of another upload';

/** What the store says, which is asked without a key. */
export const storeAnswers: OfWhole = {
  'upload/put-accepts-bytes'({ exchanges }) {
    const put = exchanges.find((one) => one.operation === 'storage' && one.demand?.succeeds && succeeded(one));
    return put?.status == null
      ? {}
      : { answers: [`a PUT is answered ${put.status}`], profile: [{ upload: { putStatus: put.status } }] };
  },
  'upload/signature-is-verified'({ exchanges }) {
    const puts = exchanges.filter((one) => one.tampered !== undefined && !isUnavailable(one));
    const breachIn = (exchange: Exchange) => ({
      exchange,
      expected: `a refusal: ${signatureWords(exchange)}`,
      observed: wordsOf(exchange),
    });
    return {
      applied: puts.length,
      breaches: puts.filter(succeeded).map(breachIn),
      answers: puts.map((one) => `${signatureWords(one)} is answered ${wordsOf(one)}`),
    };
  },
};
