/** What replies hold where the specification says nothing, or only names the operation, and which scopes they need. */
import { type OperationId, operations, type Scope } from '../../../spec/operations.ts';
import { validateReply } from '../../../spec/reply-validator.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Case } from '../../contract/case.ts';
import { documented, withoutNulls } from '../../contract/forms.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded } from '../../history/exchange.ts';
import { perObject } from '../../per-object.ts';
import { keyNamed, lacksScope } from '../../target/keys.ts';
import type { Answer, Around, Question } from './question.ts';
import { errorCode } from './refusals.ts';

const usualCodes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
};

const listed = (scopes: readonly Scope[]) => scopes.join(' and ');
const typeOf = ({ headers }: Exchange) => headers['content-type'] ?? 'none';
const contextOf = (asked: Case, exchange: Exchange) =>
  asked.operation === 'getConversationContext' &&
  !asked.isElsewhere &&
  succeeded(exchange) &&
  isObject(jsonOf(exchange));

/** The scopes of the key, where the scopes are all that may be wrong with the request. */
function scopesAlone(asked: Case, { key }: Exchange, { deployment }: Around): readonly Scope[] | null {
  const isOurs = asked.owner === null || asked.owner === 'ours';
  const isSpare = asked.label === null || asked.label === 'spare';
  if (asked.caller !== 'valid' || asked.mutation !== null || !isOurs || !isSpare) return null;
  return keyNamed(deployment, key)?.scopes ?? null;
}

const lackedOf = (scopes: readonly Scope[] | null, needed: readonly Scope[]) =>
  needed.filter((scope) => !(scopes ?? []).includes(scope));

/** Reply, status and scopes of operations that the specification only names. */
const details = (rule: RuleId, ids: readonly OperationId[]): Question => ({
  rule,
  applies: (asked, exchange, around) =>
    ids.includes(asked.operation) && !asked.isElsewhere && scopesAlone(asked, exchange, around) !== null,
  answer(asked, exchange, around) {
    const { operation: id } = asked;
    const { status } = exchange;
    const lacking = lackedOf(scopesAlone(asked, exchange, around), around.deployment.scopesOf(id));
    if (lacking.length > 0) {
      const needed = succeeded(exchange) ? [] : lacking;
      return {
        topic: `${id} without ${listed(lacking)}`,
        words: `${status}`,
        profile: { operations: { [id]: { scopes: [...needed] } } },
        ...(status !== 403 && { differs: { expected: `403 without ${listed(lacking)}`, observed: `${status}` } }),
      };
    }
    const answer = { topic: id, words: `answered ${status}` };
    if (!succeeded(exchange))
      return {
        ...answer,
        ...(status === 404 && { profile: { operations: { [id]: null } } }),
        differs: { expected: `success for ${id}`, observed: `${status}` },
      };
    const [wrong] = jsonOf(exchange) === undefined ? [] : validateReply(id, 200, jsonOf(exchange));
    const differs =
      status !== 200
        ? { expected: '200', observed: `${status}` }
        : wrong && { expected: wrong.message, observed: (exchange.body ?? '').slice(0, 80) };
    const said = JSON.stringify(objectIn(exchange).status) ?? 'is not there';
    return [
      { ...answer, profile: { operations: { [id]: { status: status ?? 200 } } }, ...(differs && { differs }) },
      ...(id === 'getHealth' ? [{ topic: 'status of getHealth', words: said }] : []),
    ];
  },
});

const unnamed: readonly OperationId[] = [
  'applySiteLabel',
  'removeSiteLabel',
  'applyClientSiteLabel',
  'registerSiteFile',
  'listLabels',
];
const isAllowed = ({ status }: Exchange) => status !== 401 && status !== 403;

/** Fields that are null in place of a text. */
const nullsIn = (exchange: Exchange) => {
  const fieldsOf = (body: unknown) => validateReply('getConversationContext', 200, body).map(({ field }) => field);
  const others = fieldsOf(withoutNulls(objectIn(exchange)));
  const nulls = fieldsOf(objectIn(exchange)).filter((field) => !others.includes(field));
  return [...new Set(nulls.map((field) => field.replace(/^body\./, '').replace(/\[\d+\]/g, '[]')))];
};

/** The questions about what replies hold, and who gets them. */
export const replyQuestions: readonly Question[] = [
  {
    rule: 'errors/codes',
    applies: (_, exchange) => (exchange.status ?? 0) >= 400 && errorCode(exchange) !== undefined,
    answer(_, exchange): Answer {
      const [code = '', usual] = [errorCode(exchange), usualCodes[exchange.status ?? 0]];
      const expected = `${usual ?? 'another status than'} for ${exchange.status}`;
      return {
        topic: `${exchange.status}`,
        words: code,
        ...(code !== usual && { differs: { expected, observed: code } }),
      };
    },
  },
  {
    rule: 'transport/json-content-type',
    applies: ({ isElsewhere }, exchange) => !isElsewhere && jsonOf(exchange) !== undefined,
    answer: (_, exchange) => ({
      topic: 'Content-Type of JSON',
      words: typeOf(exchange),
      ...(!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(typeOf(exchange)) && {
        differs: { expected: 'application/json', observed: typeOf(exchange) },
      }),
    }),
  },
  {
    rule: 'context/any-field-may-be-absent',
    applies: contextOf,
    answer(_, exchange) {
      const names = Object.keys(objectIn(exchange));
      const nulls = nullsIn(exchange);
      return [
        ...documented
          .filter((name) => !names.includes(name))
          .map((words) => ({ topic: 'fields that are left out at times', words })),
        ...names.filter((name) => !documented.includes(name)).map((words) => ({ topic: 'undocumented fields', words })),
        {
          topic: 'fields that are null',
          words: nulls.join(', ') || 'none',
          ...(nulls.length > 0 && {
            differs: { expected: 'fields without a value to be left out', observed: `null: ${nulls.join(', ')}` },
          }),
        },
      ];
    },
  },
  details('service/conversation-record', ['getConversation']),
  details('service/reference-endpoints', ['getHealth', 'getSite', 'getClient']),
  {
    rule: 'scopes/where-none-is-named',
    applies: (asked, exchange, around) =>
      unnamed.includes(asked.operation) && !asked.isElsewhere && scopesAlone(asked, exchange, around) !== null,
    answer(asked, exchange, around) {
      const { operation: id } = asked;
      const own = scopesAlone(asked, exchange, around) ?? [];
      const { scopes } = operations[id];
      const needed = neededIn(around).get(id);
      const isServed = isAllowed(exchange);
      const lacking = scopes.filter((scope) => lacksScope({ scopes: [...own] }, scope));
      const mayImply = lacking.length === 0 && lackedOf(own, scopes).length > 0;
      const expected = isServed
        ? `${id} needs ${listed(lacking)}`
        : `${id} needs ${listed(scopes) || 'no scope'} and nothing else`;
      return {
        topic: id,
        ...(needed && { words: `needs ${listed(needed) || 'no scope'}` }),
        ...(needed && { profile: { operations: { [id]: { scopes: [...needed] } } } }),
        ...(lacking.length > 0 === isServed && !mayImply && { differs: { expected, observed: `${exchange.status}` } }),
      };
    },
  },
];

/** The scopes that every key had which was served, by operation. */
const neededIn = perObject(
  (around: Around): ReadonlyMap<OperationId, Scope[]> =>
    new Map(
      unnamed.flatMap((id) => {
        const served = around.cases.flatMap(({ asked, exchange }) => {
          const isServed = asked.operation === id && !asked.isElsewhere && isAllowed(exchange);
          const scopes = isServed ? scopesAlone(asked, exchange, around) : null;
          return scopes === null ? [] : [scopes];
        });
        const needed: Scope[] = operations[id].scopes.filter((scope) => served.every((one) => one.includes(scope)));
        return served.length === 0 ? [] : [[id, needed] as const];
      }),
    ),
);
