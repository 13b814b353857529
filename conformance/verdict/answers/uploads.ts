/** What a deployment does with uploads where the specification is silent. */
import type { RefusalCase } from '../../../spec/refusals.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { isUnavailable } from '../../contract/judge.ts';
import { asks, isPlain } from '../../contract/uploads.ts';
import { type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import type { OfWhole, Question } from './index.ts';
import { patchOf, refusalIn, wordsOf } from './refusals.ts';

type Place = RefusalCase | 'registerBeforePut' | 'registerTwice';

/** The rule, what is asked, and its place in the profile. */
const asked: readonly (readonly [RuleId, string, Place])[] = [
  ['upload/register-before-put-is-422', asks.early, 'registerBeforePut'],
  ['upload/register-twice-is-409', asks.twice, 'registerTwice'],
  ['limits/too-large-is-413', asks.tooLarge, 'too-large'],
  ['errors/unknown-is-404', asks.unknown, 'unknown-file-key'],
  ['errors/unknown-is-404', asks.elsewhere, 'foreign-file-key'],
];

/** The questions about uploads. */
export const uploadQuestions: readonly Question[] = [
  ...asked.map(
    ([rule, topic, place]): Question => [
      rule,
      ({ mutation }, exchange) => {
        if (mutation?.id !== topic) return null;
        const isOfUpload = place === 'registerBeforePut' || place === 'registerTwice';
        const profile = isOfUpload ? { upload: { [place]: refusalIn(exchange) } } : patchOf(place, exchange);
        return { topic, words: wordsOf(exchange), profile };
      },
    ],
  ),
  [
    'upload/registration-reply',
    ({ operation }, exchange) => {
      if (exchange.operation !== operation || operation !== 'registerSiteFile') return null;
      if (!isPlain(exchange) || !succeeded(exchange)) return null;
      return {
        topic: 'registering',
        words: `${exchange.status} with ${Object.keys(objectIn(exchange)).join(', ') || 'no fields'}`,
        profile: { upload: { registerStatus: exchange.status ?? 0 } },
      };
    },
  ],
];

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
    return {
      applied: puts.length,
      answers: puts.map((one) => `${signatureWords(one)} is answered ${wordsOf(one)}`),
    };
  },
};
