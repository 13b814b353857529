/** Uploads: what they show together, after what each reply shows, and what a deployment does where the specification is silent. */
import type { RefusalCase } from '../../spec/refusals.ts';
import type { RuleId } from '../../spec/rules.ts';
import { uuid } from '../../spec/text/uuid.ts';
import { isUnavailable } from '../contract/judge.ts';
import { aNumber, asks, isPlain } from '../contract/uploads.ts';
import { type Exchange, objectIn, succeeded } from '../history/exchange.ts';
import { randomIds } from '../numbers.ts';
import type { Question } from './answers/index.ts';
import { patchOf, refusalIn, wordsOf } from './answers/refusals.ts';
import type { EvidenceOf, Judge, Traffic } from './traffic.ts';

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

/** What all uploads of a history show together. */
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
  const issued = started.map((one) => String(objectIn(one).fileKey).toLowerCase());
  for (const one of exchanges.filter(({ operation }) => operation === 'registerSiteFile').filter(succeeded)) {
    const sent = String(objectIn({ body: one.requestBody }).fileKey).toLowerCase();
    const other = issued.find((key) => uuid.test(key) && one.body?.toLowerCase().includes(key));
    if (other && uuid.test(sent) && !issued.includes(sent))
      evidenceOf('upload/register-takes-file-key').broken(one, `a refusal of ${sent}`, `the file of ${other}`);
  }
  const atRandom = asked.filter(({ facts, status }) => facts?.mutation?.id === aNumber && status !== null);
  const [first, ...others] = atRandom;
  if (first && new Set(atRandom.map(({ params }) => params.id)).size >= randomIds && atRandom.every(succeeded)) {
    const observed = `${first.status} for each of ${atRandom.length} numbers at random`;
    const expected = '404 for a site that does not exist';
    evidenceOf('upload/unknown-site-is-404').broken(first, expected, observed, others.slice(0, 2));
  }
  const tried = exchanges.filter(({ facts }) => facts?.mutation?.id === asks.fields);
  const refused = tried.find(({ status }) => status === 400 || status === 422);
  // Where no registration succeeds, one that is refused may lack a field that the specification does not show.
  if (refused && evidenceOf('upload/register-takes-file-key').kept === 0)
    evidenceOf('upload/register-takes-file-key').unclear.push(
      `registering is answered ${refused.status}, perhaps because of a missing field that the specification does not show: give it as upload.registration`,
    );
}
