/** What a deployment does with uploads where the specification is silent. */
import type { RefusalCase } from '../../../spec/refusals.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { isUnavailable } from '../../contract/judge.ts';
import { asks, isPlain } from '../../contract/uploads.ts';
import { type Exchange, objectIn, succeeded } from '../../history/exchange.ts';
import type { Judge } from '../traffic.ts';
import type { Question } from './index.ts';
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
export const judgeStore: Judge = ({ exchanges }, evidenceOf) => {
  const put = exchanges.find((one) => one.operation === 'storage' && one.demand?.succeeds && succeeded(one));
  if (put?.status != null) {
    const { answers, profile } = evidenceOf('upload/put-accepts-bytes');
    answers.push(`a PUT is answered ${put.status}`);
    profile.push({ upload: { putStatus: put.status } });
  }
  const signature = evidenceOf('upload/signature-is-verified');
  for (const one of exchanges.filter(({ tampered }) => tampered !== undefined)) {
    if (isUnavailable(one)) continue;
    signature.asked++;
    signature.answers.push(`${signatureWords(one)} is answered ${wordsOf(one)}`);
  }
};
