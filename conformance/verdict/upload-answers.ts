/** What a deployment does with uploads where the specification is silent: in words, and as part of its profile. */
import type { RefusalCase } from '../../spec/files/profile-schema.ts';
import type { RuleId } from '../../spec/rules.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { isUnavailable } from '../contract/judge.ts';
import { type Exchange, isObject, objectIn, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { answerOf, errorCode, refusalPatch } from '../laws/judging/error-body.ts';
import type { Breach, Finding, Law } from '../laws/judging/law.ts';
import type { ProfilePatch } from '../profile-patch.ts';
import { lawByEvidence } from './laws.ts';

/** Mutations of requests whose reply is left open. */
export const asks = {
  early: 'before its bytes',
  twice: 'a second time',
  unknown: 'a fileKey that nobody issued',
  elsewhere: 'the fileKey of another site',
  missing: 'no fileKey',
  malformed: 'a fileKey that is no UUID',
  tooLarge: 'more than 10 MB',
} as const;

type Ask = (typeof asks)[keyof typeof asks];

interface Question {
  readonly rule: RuleId;
  /** Default: the rule. */
  readonly id?: string;
  readonly title: string;
  readonly of: readonly Ask[];
  readonly assumed: number;
  readonly profile: (exchange: Exchange) => ProfilePatch | null;
}

const isOf = ({ facts, status, failure }: Exchange, which: readonly string[]) =>
  which.includes(facts?.mutation?.id ?? '') && !isUnavailable({ status, failure });

const replyIn = (exchange: Exchange) => {
  const code = errorCode(exchange);
  return { status: exchange.status ?? 0, ...(code !== undefined && { code }) };
};

const refusals: Readonly<Partial<Record<Ask, RefusalCase>>> = {
  [asks.unknown]: 'unknown-file-key',
  [asks.elsewhere]: 'foreign-file-key',
  [asks.missing]: 'missing-file-key',
  [asks.malformed]: 'malformed-file-key',
  [asks.tooLarge]: 'too-large',
};

/** The reply as part of the profile, if it is a refusal. */
function refusalIn(exchange: Exchange): ProfilePatch | null {
  const refusal = refusals[exchange.facts?.mutation?.id as Ask];
  return refusal === undefined || (exchange.status ?? 0) < 400 ? null : refusalPatch(refusal, exchange);
}

const questions: readonly Question[] = [
  {
    rule: 'upload/register-before-put-is-422',
    title: 'registering a fileKey whose bytes were never sent is answered 422',
    of: [asks.early],
    assumed: 422,
    profile: (exchange) => ({ upload: { registerBeforePut: replyIn(exchange) } }),
  },
  {
    rule: 'upload/register-twice-is-409',
    title: 'registering a fileKey that is registered is answered 409',
    of: [asks.twice],
    assumed: 409,
    profile: (exchange) => ({ upload: { registerTwice: replyIn(exchange) } }),
  },
  {
    rule: 'errors/unknown-is-404',
    id: 'errors/unknown-is-404/file-key',
    title: 'registering a fileKey that nobody issued, or that was issued for another site, is answered 404',
    of: [asks.unknown, asks.elsewhere],
    assumed: 404,
    profile: refusalIn,
  },
  {
    rule: 'errors/invalid-request-is-400',
    id: 'errors/invalid-request-is-400/file-key',
    title: 'registering without a fileKey, or with one that is no UUID, is answered 400',
    of: [asks.missing, asks.malformed],
    assumed: 400,
    profile: refusalIn,
  },
  {
    rule: 'limits/too-large-is-413',
    title: 'a body of 11 MB is answered 413',
    of: [asks.tooLarge],
    assumed: 413,
    profile: refusalIn,
  },
];

/** One patch for each place of the profile: the first reply. */
const patchesOf = (replies: readonly Exchange[], patch: Question['profile']) =>
  [...new Map(replies.toReversed().map((one) => [one.facts?.mutation?.id, one])).values()].flatMap(
    (one) => patch(one) ?? [],
  );

const lawOfQuestion = ({ rule, id = rule, title, of, assumed, profile }: Question): Law => ({
  id,
  rule,
  title,
  judge({ exchanges }) {
    const replies = exchanges.filter((one) => isOf(one, of));
    const words = (one: Exchange) => one.facts?.mutation?.id;
    const others = replies.filter(({ status }) => status !== assumed);
    return {
      applied: replies.length,
      breaches: others.map((exchange) => ({
        exchange,
        expected: `${words(exchange)}: ${assumed}`,
        observed: answerOf(exchange),
      })),
      answers: replies.map((one) => `${words(one)} is answered ${answerOf(one)}`),
      profile: patchesOf(replies, profile),
    };
  },
});

const signatures: Law = {
  id: 'upload/signature-is-verified',
  rule: 'upload/signature-is-verified',
  title: 'a PUT with an altered signature, or with that of another upload, is refused',
  judge({ exchanges }) {
    const puts = exchanges.filter((one) => one.twist?.startsWith('signature/') && !isUnavailable(one));
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
  exchanges.filter((one) => one.operation === 'registerSiteFile' && one.facts?.mutation === null && succeeded(one));

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
  ...questions.map(lawOfQuestion),
];
