/** What a deployment does with uploads where the specification is silent: in words, and as part of its profile. */
import type { RefusalCase } from '../../spec/files/profile-schema.ts';
import type { RuleId } from '../../spec/rules.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { storageReason } from '../../spec/text/storage-reason.ts';
import { errorCode, isGatewayBody } from '../contract/error-body.ts';
import { isUnavailable } from '../contract/judge.ts';
import { asks, isPlain } from '../contract/upload-asks.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import type { ProfilePatch } from '../profile-patch.ts';
import type { Breach, Finding, Law } from './law.ts';
import { lawByEvidence } from './laws.ts';

type Place = RefusalCase | 'registerBeforePut' | 'registerTwice';

/** What is asked, what we assume, and the place of the reply in the profile. */
const questions: readonly (readonly [Law['rule'], Readonly<Record<string, Place>>, assumed: number])[] = [
  ['upload/register-before-put-is-422', { [asks.early]: 'registerBeforePut' }, 422],
  ['upload/register-twice-is-409', { [asks.twice]: 'registerTwice' }, 409],
  ['limits/too-large-is-413', { [asks.tooLarge]: 'too-large' }, 413],
  ['errors/unknown-is-404', { [asks.unknown]: 'unknown-file-key', [asks.elsewhere]: 'foreign-file-key' }, 404],
];

const wordsOf = ({ facts }: Exchange) => facts?.mutation?.id ?? '';

/** The reply as part of the profile. */
function patchOf(place: Place, exchange: Exchange): ProfilePatch[] {
  const { status } = exchange;
  if (place !== 'registerBeforePut' && place !== 'registerTwice')
    return (status ?? 0) < 400 ? [] : [refusalPatch(place, exchange)];
  const code = errorCode(exchange);
  return [{ upload: { [place]: { status: status ?? 0, ...(code !== undefined && { code }) } } }];
}

const lawsOfQuestions = questions.map(
  ([rule, places, assumed]): Law => ({
    id: rule,
    rule,
    title: `${Object.keys(places).join(', and ')}, is answered ${assumed}`,
    judge({ exchanges }) {
      const replies = exchanges.filter((one) => wordsOf(one) in places && one.status !== null && !isUnavailable(one));
      const firsts = Object.entries(places).map(
        ([words, place]) => [place, replies.find((one) => wordsOf(one) === words)] as const,
      );
      return {
        applied: replies.length,
        breaches: replies
          .filter(({ status }) => status !== assumed)
          .map((one) => ({ exchange: one, expected: `${assumed} for ${wordsOf(one)}`, observed: answerOf(one) })),
        answers: replies.map((one) => `${wordsOf(one)} is answered ${answerOf(one)}`),
        profile: firsts.flatMap(([place, first]) => (first ? patchOf(place, first) : [])),
      };
    },
  }),
);

const signatures: Law = {
  id: 'upload/signature-is-verified',
  rule: 'upload/signature-is-verified',
  title: 'a PUT with an altered signature, or with that of another upload, is refused',
  judge({ exchanges }) {
    const puts = exchanges.filter(
      (one) => one.twist?.startsWith('signature/') && one.status !== null && !isUnavailable(one),
    );
    const words = ({ twist }: Exchange) =>
      twist === 'signature/altered' ? 'an altered signature' : 'the query of another upload';
    return {
      applied: puts.length,
      breaches: puts
        .filter(succeeded)
        .map((exchange) => ({ exchange, expected: `a refusal: ${words(exchange)}`, observed: answerOf(exchange) })),
      answers: puts.map((one) => `${words(one)} is answered ${answerOf(one)}`),
    };
  },
};

const fields = ['fileKey', 'siteId', 'name', 'contentType', 'size', 'createdAt'];

/** Replies to registrations that must succeed. */
const registered = ({ exchanges }: History) =>
  exchanges.filter((one) => one.operation === 'registerSiteFile' && isPlain(one) && succeeded(one));

const registrationReply: Law = {
  id: 'upload/registration-reply',
  rule: 'upload/registration-reply',
  title: `every registration is answered 201 with ${fields.join(', ')}`,
  judge(history) {
    const all = registered(history);
    const [first] = all;
    const breaches = all.flatMap((exchange): Breach[] => {
      const observed = differenceIn(exchange);
      return observed === null ? [] : [{ exchange, expected: `201 with ${fields.join(', ')}`, observed }];
    });
    if (first?.status == null) return { applied: 0, breaches };
    const names = Object.keys(objectIn(first)).join(', ') || 'no fields';
    return {
      applied: all.length,
      breaches,
      answers: [`registering is answered ${first.status} with ${names}`],
      profile: [{ upload: { registerStatus: first.status } }],
    };
  },
};

/** How the reply to a registration differs from our assumption, in words; null where it does not. */
function differenceIn(exchange: Exchange): string | null {
  const reply = objectIn(exchange);
  const names = Object.keys(reply);
  if (exchange.status !== 201 || names.some((name) => !fields.includes(name)))
    return `${exchange.status} with ${names.join(', ') || 'no fields'}`;
  const asked = jsonOrUndefined(exchange.requestBody ?? '');
  const assumed = { fileKey: isObject(asked) ? asked.fileKey : undefined, siteId: exchange.params.id };
  const wrong = Object.entries(assumed).find(([name, value]) => name in reply && reply[name] !== value);
  return wrong ? `${wrong[0]} is ${JSON.stringify(reply[wrong[0]])}, not ${JSON.stringify(wrong[1])}` : null;
}

/** The law of a rule that scripts try, and what else its exchanges tell. */
const withAnswers = (law: Law, answersOf: (history: History) => Pick<Finding, 'answers' | 'profile'>): Law => ({
  ...law,
  judge: (history) => ({ ...law.judge(history), ...answersOf(history) }),
});

const putAccepted = withAnswers(lawByEvidence('upload/put-accepts-bytes'), ({ exchanges }) => {
  const put = exchanges.find((one) => one.operation === 'storage' && one.demand?.succeeds && succeeded(one));
  return put?.status == null
    ? {}
    : { answers: [`a PUT is answered ${put.status}`], profile: [{ upload: { putStatus: put.status } }] };
});

const byEvidence: readonly RuleId[] = [
  'upload/start-is-201',
  'upload/target-file-key',
  'upload/target-url',
  'upload/target-expiry',
  'upload/url-lives-five-minutes',
  'upload/content-type-is-required',
  'upload/no-additional-properties',
  'upload/unknown-site-is-404',
  'upload/foreign-site-is-404',
  'upload/put-content-type-must-match',
  'upload/expired-url-is-refused',
  'upload/no-direct-bytes',
  'upload/file-may-exceed-10mb',
  'upload/register-takes-file-key',
  'limits/below-10mb-passes',
  'limits/above-10mb-is-refused',
];

/** Laws about uploads, and about the sizes of requests. */
export const uploadLaws: readonly Law[] = [
  ...byEvidence.map(lawByEvidence),
  putAccepted,
  signatures,
  registrationReply,
  ...lawsOfQuestions,
];

/** A refusal as part of the profile. */
function refusalPatch(refusal: RefusalCase, exchange: Exchange): ProfilePatch {
  const code = errorCode(exchange);
  const body = isGatewayBody(exchange) ? 'message' : 'error';
  return { errors: { [refusal]: { status: exchange.status ?? 400, ...(code !== undefined && { code }), body } } };
}

/** A reply in a few words: `404 NOT_FOUND`. */
function answerOf(exchange: Exchange): string {
  const { status, failure, operation, body } = exchange;
  if (status === null) return failure ?? 'no reply';
  const why = operation === 'storage' ? storageReason(body ?? '') : (errorCode(exchange) ?? []);
  return [status, why].flat().join(' ');
}
