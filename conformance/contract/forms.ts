/** What every reply must look like, whoever asked for what: JSON, the error body, contexts, label sets of sites, upload targets. */
import { validateReply } from '../../spec/reply-validator.ts';
import type { RuleId } from '../../spec/rules.ts';
import { byteOrderMark, type Exchange, isObject, jsonOf, objectIn, succeeded } from '../history/exchange.ts';
import type { Deployment } from '../target/deployment.ts';
import { allows, type Case, isOdd, reasonsOf } from './case.ts';
import { cut, form, type Judgement } from './judge.ts';
import { targetIn } from './uploads.ts';

/** Statuses with which a gateway answers in words of its own. */
const byGateways = [403, 408, 411, 413, 415, 429, 431];

const begin = ({ status, body }: Exchange) => `${status} ${cut(body?.trim() ?? '')}`.trim();

/** The forms of one reply. Of what is asked at another path nothing is said. */
export function* formsIn(asked: Case, exchange: Exchange, deployment: Deployment): Generator<Judgement> {
  const { status } = exchange;
  if (status === null || asked.isElsewhere) return;
  if (succeeded(exchange)) yield* successIn(asked, exchange, deployment);
  else if (status === 403) yield* forbiddenIn(asked, exchange);
  else if (status >= 400 && !byGateways.includes(status) && status < 500) yield* errorIn(asked, exchange);
}

function* successIn(asked: Case, exchange: Exchange, deployment: Deployment): Generator<Judgement> {
  const { operation, owner, label } = asked;
  const { status, body } = exchange;
  const mayBeEmpty = !asked.isRead && operation !== 'startSiteFileUpload';
  const isEmpty = (body ?? '').trim() === '' && (status === 204 || mayBeEmpty);
  const isJson = jsonOf(exchange) !== undefined && !body?.startsWith(byteOrderMark) && !exchange.garbled;
  yield form(
    'transport/json-both-ways',
    isJson || isEmpty,
    'JSON',
    exchange.garbled ? 'bytes that are no UTF-8' : begin(exchange),
  );
  if (operation === 'getConversationContext') yield* contextIn(exchange);
  if (operation === 'applySiteLabel' && owner === 'ours' && label !== 'malformed') yield* siteSetIn(asked, exchange);
  if (operation === 'startSiteFileUpload' && status === 201) yield* targetIn(exchange, deployment);
}

const errorBody = 'error.code and error.message';

/** A router or a firewall answers ids of another form, and what is odd, in words of its own. A 400 for an id of usual letters shows that it was read. */
function* errorIn(asked: Case, exchange: Exchange): Generator<Judgement> {
  const isMalformed = asked.owner === 'malformed' || asked.label === 'malformed';
  if (isOdd(asked) || (isMalformed && !('error' in objectIn(exchange)))) return;
  // A refusal in other words may come from what stands in front of it.
  yield form('errors/body', isError(exchange), errorBody, begin(exchange), 'suspected');
}

/**
 * For a key or a scope, other words than the error body are a warning: they may be a gateway's. What has an `error` is an error body with a fault;
 * where keys are checked, only if that is an object.
 */
function* forbiddenIn(asked: Case, exchange: Exchange): Generator<Judgement> {
  if (isOdd(asked)) return;
  if (asked.caller !== 'valid' || asked.lacks === 'named')
    yield form('auth/forbidden-has-the-error-body', isError(exchange), 'the error body', begin(exchange), 'suspected');
  const { error } = objectIn(exchange);
  const isErrorBody = asked.caller === 'valid' ? error !== undefined : isObject(error);
  if (isErrorBody && reasonsOf(asked).some((reason) => allows(reason, 403)))
    yield form('errors/body', isError(exchange), errorBody, begin(exchange), 'suspected');
}

function isError(exchange: Exchange): boolean {
  const { error } = objectIn(exchange);
  return isObject(error) && typeof error.code === 'string' && error.code !== '' && typeof error.message === 'string';
}

const lists: Readonly<Record<string, RuleId>> = {
  labels: 'context/labels-are-strings',
  messages: 'context/messages',
  participants: 'context/participants',
  sites: 'context/sites',
};
/** The documented fields of a context. */
export const documented: readonly string[] = [
  'subject',
  'status',
  'type',
  'urgency',
  'requester',
  ...Object.keys(lists),
];

function* contextIn(exchange: Exchange): Generator<Judgement> {
  const json = objectIn(exchange);
  const names = Object.keys(json);
  const isContext =
    isObject(jsonOf(exchange)) && (names.length === 0 || names.some((name) => documented.includes(name)));
  yield form('context/get-answers-context', isContext, 'a context', begin(exchange));
  const isRecord = (value: unknown) => isObject(value) && 'friendlyId' in value && 'createdAt' in value;
  const hasRecord =
    'friendlyId' in json || ('createdAt' in json && 'updatedAt' in json) || Object.values(json).some(isRecord);
  yield form(
    'context/without-the-record',
    !hasRecord,
    'a context without the record',
    'the record of the conversation',
  );
  // What is null in place of a text is left out; what is null in place of a list is no list.
  const nulls = Object.fromEntries(Object.keys(lists).flatMap((name) => (json[name] === null ? [[name, null]] : [])));
  const body = { ...(withoutNulls(json) as object), ...nulls };
  const wrong = validateReply('getConversationContext', 200, body).map(({ field }) => field.replace(/^body\.?/, ''));
  for (const [name, rule] of Object.entries(lists)) {
    const at = wrong.filter((field) => field.split(/[.[]/)[0] === name);
    if (name in json)
      yield form(rule, at.length === 0, `${name} of the documented type`, `another type: ${at.join(', ')}`);
  }
  const others = wrong.filter((field) => !((field.split(/[.[]/)[0] ?? '') in lists));
  yield form('context/strings', others.length === 0, 'strings', `another type: ${others.join(', ')}`);
}

/** Null in place of a text is a field that is left out. */
export const withoutNulls = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutNulls)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[name, withoutNulls(one)]])),
        )
      : value;

/** Hexadecimal digits have no case. A site that is found by an id in other letters may answer with its own. */
function* siteSetIn({ mutation }: Case, exchange: Exchange): Generator<Judgement> {
  const { siteId, labels } = objectIn(exchange);
  const { id = '' } = exchange.params;
  const spelled = (text: string) => text.replace(mutation === null ? /[a-f]/gi : /./g, (one) => one.toLowerCase());
  const isRight =
    typeof siteId === 'string' && spelled(siteId) === spelled(id) && Array.isArray(labels) && labels.every(isObject);
  yield form('labels/site-label-set', isRight, `siteId ${id}, and labels, an array of objects`, begin(exchange));
}
