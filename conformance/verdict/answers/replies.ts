/** What replies hold where the specification says nothing, or only names the operation, and which scopes they need. */
import { type OperationId, operations, type Scope } from '../../../spec/operations.ts';
import { validateReply } from '../../../spec/reply-validator.ts';
import type { Case } from '../../contract/case.ts';
import { documented, withoutNulls } from '../../contract/forms.ts';
import { isUnavailable } from '../../contract/judge.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded } from '../../history/exchange.ts';
import { perObject } from '../../per-object.ts';
import { keyNamed } from '../../target/deployment.ts';
import type { Traffic } from '../traffic.ts';
import type { Answer, Ask, Question } from './index.ts';
import { errorCode } from './refusals.ts';

const listed = (scopes: readonly Scope[]) => scopes.join(' and ');

/** The scopes of the key, where the scopes are all that may be wrong with the request. */
function scopesAlone(asked: Case, { key }: Exchange, { deployment }: Traffic): readonly Scope[] | null {
  const isOurs = asked.owner === null || asked.owner === 'ours';
  const isSpare = asked.label === null || asked.label === 'spare';
  const isPlain = asked.caller === 'valid' && asked.mutation === null && !asked.isElsewhere && isOurs && isSpare;
  return isPlain ? (keyNamed(deployment, key)?.scopes ?? null) : null;
}

/** Reply, status and scopes of operations that the specification only names. */
const details =
  (ids: readonly OperationId[]): Ask =>
  (asked, exchange, traffic) => {
    const { operation: id } = asked;
    const { status } = exchange;
    const scopes = ids.includes(id) ? scopesAlone(asked, exchange, traffic) : null;
    if (scopes === null) return null;
    const lacking = traffic.deployment.scopesOf(id).filter((scope) => !scopes.includes(scope));
    if (lacking.length > 0)
      return {
        topic: `${id} without ${listed(lacking)}`,
        words: `${status}`,
        profile: { operations: { [id]: { scopes: succeeded(exchange) ? [] : lacking } } },
      };
    if (!succeeded(exchange))
      return {
        ...{ topic: id, words: `answered ${status}` },
        profile: status === 404 ? { operations: { [id]: null } } : undefined,
      };
    const json = jsonOf(exchange);
    const [wrong] = json === undefined ? [] : validateReply(id, 200, json);
    const said = JSON.stringify(objectIn(exchange).status) ?? 'is not there';
    return [
      {
        topic: id,
        words: `answered ${status}${wrong ? `, ${wrong.message}` : ''}`,
        profile: { operations: { [id]: { status: status ?? 200 } } },
      },
      ...(id === 'getHealth' ? [{ topic: 'status of getHealth', words: said }] : []),
    ];
  };

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
  [
    'errors/codes',
    (_, exchange) => {
      const { status } = exchange;
      const words = (status ?? 0) >= 400 ? errorCode(exchange) : undefined;
      return words === undefined ? null : { topic: `${status}`, words };
    },
  ],
  [
    'transport/json-content-type',
    ({ isElsewhere }, exchange) => {
      const isJson = !isElsewhere && jsonOf(exchange) !== undefined;
      return isJson ? { topic: 'Content-Type of JSON', words: exchange.headers['content-type'] ?? 'none' } : null;
    },
  ],
  [
    'context/any-field-may-be-absent',
    ({ operation, isElsewhere }, exchange) => {
      if (operation !== 'getConversationContext' || isElsewhere || !succeeded(exchange)) return null;
      if (!isObject(jsonOf(exchange))) return null;
      const names = Object.keys(objectIn(exchange));
      const fields = (topic: string, some: readonly string[]) => some.map((words): Answer => ({ topic, words }));
      return [
        ...fields(
          'fields that are left out at times',
          documented.filter((name) => !names.includes(name)),
        ),
        ...fields(
          'undocumented fields',
          names.filter((name) => !documented.includes(name)),
        ),
        { topic: 'fields that are null', words: nullsIn(exchange).join(', ') || 'none' },
      ];
    },
  ],
  ['service/conversation-record', details(['getConversation'])],
  ['service/reference-endpoints', details(['getHealth', 'getSite', 'getClient'])],
  [
    'scopes/where-none-is-named',
    (asked, exchange, traffic) => {
      const { operation: id } = asked;
      const own = unnamed.includes(id) ? scopesAlone(asked, exchange, traffic) : null;
      if (own === null) return null;
      const needed = neededIn(traffic).get(id);
      return {
        topic: id,
        ...(needed && { words: `needs ${listed(needed) || 'no scope'}` }),
        ...(needed && { profile: { operations: { [id]: { scopes: [...needed] } } } }),
      };
    },
  ],
];

/** The scopes that every key had which was served, by operation. */
const neededIn = perObject((traffic: Traffic): ReadonlyMap<OperationId, Scope[]> => {
  const served = [...traffic.cases].flatMap(([exchange, asked]) => {
    const scopes = isUnavailable(exchange) || !isAllowed(exchange) ? null : scopesAlone(asked, exchange, traffic);
    return scopes !== null && unnamed.includes(asked.operation) ? [{ id: asked.operation, scopes }] : [];
  });
  return new Map(
    [...Map.groupBy(served, ({ id }) => id)].map(([id, keys]) => [
      id,
      operations[id].scopes.filter((scope) => keys.every(({ scopes }) => scopes.includes(scope))),
    ]),
  );
});
