import { operations } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Exchange, isNoFault, succeeded } from '../history/exchange.ts';
import { namedScopes } from '../target/deployment.ts';
import { allows, type Case, demandedOf, isOdd, mayBeLost, reasonsOf, toleranceOf } from './case.ts';

/**
 * What one reply says about a rule. A success that must be refused breaks it at first sight, because nobody but the deployment can cause it. A
 * refusal of what should succeed, or one with another status, may come from a firewall or during a roll-out, so it is only suspected. Where nothing
 * can be told, `observed` says why.
 */
export interface Judgement {
  readonly rule: RuleId;
  readonly says: 'kept' | 'broken' | 'suspected' | 'unclear';
  readonly expected: string;
  readonly observed: string;
}

/** The beginning of a text of a reply. */
export const cut = (text: string): string => text.replace(/(?<=^.{80}).+/s, '…');

/** Whether a reply has a form. @param failing what another form says: only the deployment can make a success of a wrong form */
export const form = (
  rule: RuleId,
  isKept: boolean,
  expected: string,
  observed: string,
  failing: Judgement['says'] = 'broken',
): Judgement => ({ rule, says: isKept ? 'kept' : failing, expected, observed: isKept ? 'so' : observed });

/** No reply, or one that asks to come back: it says nothing about the request. A 501 says that it is never served. */
export const isUnavailable = ({ status, failure }: Pick<Exchange, 'status' | 'failure'>): boolean =>
  status === null
    ? !isNoFault({ failure })
    : status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501);

/** The rule that demands a usable reply to this request. */
export function replyRule(asked: Case): RuleId {
  const [demanding] = demandedOf(asked);
  return demanding?.statusRule ?? demanding?.rule ?? asked.successRule ?? operations[asked.operation].rule;
}

/** Refusals that may be due to the id of the record, and redirects to another. */
const notFound = [301, 302, 307, 308, 400, 404, 405, 410, 422];

const uploadStatuses = [400, 401, 403, 404, 411, 413, 415, 422];

/** What the status of a reply says about the contract. */
export function* judgeStatus(asked: Case, exchange: Exchange): Generator<Judgement> {
  const { status } = exchange;
  if (status === null || isUnavailable(exchange) || asked.isElsewhere) return;
  const says = (rule: RuleId, says: Judgement['says'], expected: string): Judgement => ({
    ...{ rule, says, expected },
    observed: `${status}`,
  });
  const isStart = asked.operation === 'startSiteFileUpload';
  const applying = reasonsOf(asked);
  const demanded = demandedOf(asked).map(({ statuses, ...reason }) => ({
    ...reason,
    right: `${typeof statuses === 'string' ? 'a 4xx' : statuses.join(' or ')} (${reason.id})`,
  }));
  // A 304 lets in, but has nothing of what was asked for.
  if (succeeded(exchange) || status === 304) {
    for (const { rule, right } of demanded) yield says(rule, 'broken', right);
    // Where nothing applies but a tolerance, a success is as right as ever.
    if (applying.length > (toleranceOf(asked) === null ? 0 : 1)) return;
    if (status === 304)
      return yield says(asked.successRule ?? operations[asked.operation].rule, 'suspected', 'success');
    const isRight = !isStart || status === 201;
    for (const rule of keptBySuccess(asked))
      yield says(rule, isRight || rule !== 'upload/start-is-201' ? 'kept' : 'broken', isRight ? 'success' : '201');
    return;
  }
  if (isStart && !isOdd(asked)) {
    const declared = uploadStatuses.includes(status) ? 'kept' : 'suspected';
    yield says('errors/upload-statuses-are-declared', declared, 'a status that upload-url declares');
  }
  if (applying.some((reason) => allows(reason, status)) || mayBeLost(asked, status)) {
    for (const { id, rule, statusRule } of demanded)
      for (const one of statusRule ? [rule, statusRule] : [rule]) yield says(one, 'kept', `a refusal (${id})`);
  } else if (demanded.length > 0) {
    for (const { rule, statusRule, right } of demanded) yield says(statusRule ?? rule, 'suspected', right);
  } else if (applying.length === 0) {
    yield says(refusedRule(asked, status), 'suspected', 'success');
    if (asked.siteRule !== null && notFound.includes(status)) yield says(asked.siteRule, 'suspected', 'success');
  } else if (typeof asked.mutation?.means === 'object')
    yield says(asked.successRule ?? operations[asked.operation].rule, 'suspected', 'success');
}

/** Which rule the refusal of a lawful request breaks. */
function refusedRule({ operation, successRule }: Case, status: number): RuleId {
  // A rule about the life of the key is the one that a refusal of the key breaks.
  if (successRule?.startsWith('keys/')) return successRule;
  if (status === 401 || (status === 403 && namedScopes(operation) === null)) return 'auth/key-in-x-api-key';
  if (status === 403) return 'scopes/named-scopes-suffice';
  return successRule ?? operations[operation].rule;
}

/** The rules that a success keeps. */
function keptBySuccess({ operation, successRule, siteRule }: Case): RuleId[] {
  const named: RuleId[] = namedScopes(operation) === null ? [] : ['scopes/named-scopes-suffice'];
  return [
    'auth/key-in-x-api-key',
    ...named,
    operations[operation].rule,
    ...(successRule ? [successRule] : []),
    ...(siteRule ? [siteRule] : []),
  ];
}
