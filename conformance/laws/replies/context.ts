import type { components } from '../../../spec/generated/api.ts';
import { validateReply } from '../../../spec/reply-validator.ts';
import type { RuleId } from '../../../spec/rules.ts';
import { type Exchange, isObject, jsonOf, objectIn, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { hasMore } from '../../history/pages.ts';
import { perObject } from '../../per-object.ts';
import { sparesOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { contextsOfOthers } from '../judging/contexts-of-others.ts';
import { type Breach, type Law, lawOf, lawOfReplies, once } from '../judging/law.ts';
import { answered, isLawful, lineOf, statusWords } from '../judging/served.ts';
import { catalogueOfTenant } from '../labels/sets/catalogue.ts';

type Context = components['schemas']['ConversationContext'];

/** The documented fields of a context, each with its rule. */
const ruleOf = {
  subject: 'context/strings',
  status: 'context/strings',
  type: 'context/strings',
  urgency: 'context/strings',
  requester: 'context/strings',
  labels: 'context/labels-are-strings',
  messages: 'context/messages',
  participants: 'context/participants',
  sites: 'context/sites',
} as const satisfies Readonly<Record<keyof Context, RuleId>>;

const fields = Object.keys(ruleOf) as (keyof Context)[];

const isContext = (exchange: Exchange) =>
  exchange.operation === 'getConversationContext' && succeeded(exchange) && isObject(jsonOf(exchange));

interface Fault {
  readonly rule: RuleId;
  readonly message: string;
  /** Whether the value is null in place of a text or boolean. The specification does not say whether such a field is null or left out. */
  readonly isNull: boolean;
}

/** Values in a context of another type than the documented one. No field is required, and further fields are allowed. */
const faultsOf = perObject((context: object): readonly Fault[] =>
  validateReply('getConversationContext', 200, context).flatMap(({ field, message }): Fault[] => {
    const steps = field.match(/[^.[\]]+/g) ?? [];
    const rule = ruleOf[steps[1] as keyof Context];
    if (rule === undefined) return [];
    const value = steps.slice(1).reduce<unknown>((parent, step) => Object(parent)[step], context);
    const isItem = field.endsWith(']');
    const isNull = value === null && !isItem && !/must be an (array|object)$/.test(message);
    return [{ rule, message: message.replace(/^body\./, ''), isNull }];
  }),
);
const faultsIn = (exchange: Exchange) => faultsOf(objectIn(exchange));

const types = [...new Set(Object.values(ruleOf))].map((rule) =>
  lawOfReplies({
    rule,
    title: `${fields.filter((field) => ruleOf[field] === rule).join(', ')} of every context: types at every depth`,
    applies: isContext,
    judge: (exchange) => {
      const wrong = faultsIn(exchange).filter((fault) => fault.rule === rule && !fault.isNull);
      const [first] = wrong;
      if (first === undefined) return null;
      const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : '';
      return { expected: `in ${lineOf(exchange)}, ${first.message}`, observed: `another type${more}` };
    },
  }),
);

const absence = lawOf(
  'context/any-field-may-be-absent',
  'what has no value is left out of a context',
  ({ exchanges }) => {
    const contexts = exchanges.filter(isContext);
    const absent = fields.filter((field) => contexts.some((context) => !(field in objectIn(context))));
    const undocumented = new Set(
      contexts.flatMap((context) => Object.keys(objectIn(context)).filter((name) => !Object.hasOwn(ruleOf, name))),
    );
    const breaches = contexts.flatMap((exchange): Breach[] => {
      const nulls = faultsIn(exchange).filter(({ isNull }) => isNull);
      const names = [...new Set(nulls.map(({ message }) => message.split(' ')[0]?.replace(/\[\d+\]/g, '[]')))];
      return nulls.length === 0
        ? []
        : [{ exchange, expected: 'fields without a value to be left out', observed: `null: ${names.join(', ')}` }];
    });
    const answers = [
      `fields that are left out at times: ${absent.join(', ') || 'none'}`,
      `undocumented fields: ${[...undocumented].sort().join(', ') || 'none'}`,
    ];
    return { applied: contexts.length, breaches, answers };
  },
);

/** Names and ids of labels, from the target file and lists of labels. */
const labelsIn = once((history: History) => {
  const [ids, names] = [new Set<string>(), new Set<string>()];
  const add = (id: unknown, name: unknown) => {
    if (typeof id === 'string') ids.add(id.toLowerCase());
    if (typeof name === 'string') names.add(name);
  };
  for (const { id, name } of sparesOf(deploymentIn(history).tenant)) add(id, name);
  for (const exchange of history.exchanges) {
    if (exchange.operation !== 'listLabels' || !succeeded(exchange)) continue;
    for (const [, value] of valuesOf(jsonOf(exchange))) if (isObject(value)) add(value.id, value.name);
  }
  return { ids, names };
});

const labelNames = lawOf('context/labels-are-names', 'the labels of a context are names of labels', (history) => {
  const { ids, names } = labelsIn(history);
  const texts = (exchange: Exchange) => {
    const { labels } = objectIn(exchange);
    return (Array.isArray(labels) ? labels : []).filter((label) => typeof label === 'string');
  };
  const shown = history.exchanges.filter((exchange) => isContext(exchange) && texts(exchange).length > 0);
  const withIds = shown.filter((exchange) => texts(exchange).some((label) => ids.has(label.toLowerCase())));
  const withNames = shown.some((exchange) => texts(exchange).some((label) => names.has(label)));
  const breaches: Breach[] = withIds.map((exchange) => ({
    exchange,
    expected: 'names of labels',
    observed: JSON.stringify(texts(exchange)),
  }));
  if (breaches.length > 0)
    return { applied: shown.length, breaches, answers: ['ids'], profile: [{ shapes: { contextLabels: 'ids' } }] };
  if (!withNames)
    return { applied: shown.length, breaches, answers: ['texts that are neither known ids nor known names'] };
  // Such as the parts of a name that was split at its comma. What is on a further page of a list may be a name.
  const inPages = history.exchanges.some((one) => one.operation === 'listLabels' && succeeded(one) && hasMore(one));
  for (const exchange of inPages ? [] : shown) {
    const { meantBy } = catalogueOfTenant(history, askedBy(exchange, history).tenant?.name ?? '');
    const unknown = texts(exchange).filter((label) => !names.has(label) && meantBy(label) === undefined);
    if (unknown.length === 0) continue;
    const observed = `also ${JSON.stringify(unknown)}, which no listed label is called`;
    breaches.push({ exchange, expected: 'names of labels', observed });
  }
  return { applied: shown.length, breaches, answers: ['names'], profile: [{ shapes: { contextLabels: 'names' } }] };
});

/** Replies with the record of a conversation, by its id. */
const recordsIn = once(({ exchanges }: History) =>
  Map.groupBy(
    exchanges.filter((one) => one.operation === 'getConversation' && succeeded(one)),
    ({ params }) => params.id ?? '',
  ),
);

const bodiesOfRecords = once((history: History) => {
  return new Map([...recordsIn(history)].map(([id, replies]) => [id, new Set(replies.map(({ body }) => body))]));
});

const answersContext = lawOf(
  'context/get-answers-context',
  'a GET without a body answers the context of every conversation of the tenant, an object',
  (history) => {
    const lawful = history.exchanges.filter(
      (one) => one.operation === 'getConversationContext' && answered(one) && isLawful(one, history),
    );
    // A success must be a context even if the request was not lawful.
    const unlawful = history.exchanges.filter(
      (one) => one.operation === 'getConversationContext' && succeeded(one) && !lawful.includes(one),
    );
    const breaches = [...lawful, ...unlawful].flatMap((exchange): Breach[] => {
      const observed = notContext(exchange, history);
      return observed === null ? [] : [{ exchange, expected: `the context for ${lineOf(exchange)}`, observed }];
    });
    // No field is required, so an empty object may be the context of a bare conversation, or no context at all.
    const unclear = [...Map.groupBy(lawful, ({ params }) => params.id ?? '')].flatMap(([id, replies]) =>
      replies.every((one) => isContext(one) && Object.keys(objectIn(one)).length === 0)
        ? [`the context of ${id} is always an empty object: name a conversation with more content in the target file`]
        : [],
    );
    return { applied: lawful.length, breaches: [...breaches, ...contextsOfOthers(history).values()], unclear };
  },
);

/** What the reply is in place of a context, in words; null for a context, and for a body that is not JSON, which breaks another rule. */
function notContext(exchange: Exchange, history: History): string | null {
  if (!succeeded(exchange)) return statusWords(exchange);
  const json = jsonOf(exchange);
  if (json === undefined) return exchange.body?.trim() ? null : `${exchange.status} without a body`;
  if (!isObject(json)) return `JSON, but not an object: ${statusWords(exchange)}`;
  const names = Object.keys(json);
  if (names.length > 0 && !fields.some((field) => field in json))
    return `none of its documented fields: ${names.slice(0, 8).join(', ')}`;
  const isRecord =
    names.length > 2 &&
    bodiesOfRecords(history)
      .get(exchange.params.id ?? '')
      ?.has(exchange.body);
  return isRecord ? 'the same reply as to GET /v1/conversation/{id}' : null;
}

/** The object in a reply that contains the requested id. */
function recordIn(exchange: Exchange): Readonly<Record<string, unknown>> | undefined {
  for (const [, value] of valuesOf(jsonOf(exchange))) {
    if (isObject(value) && Object.values(value).includes(exchange.params.id)) return value;
  }
  return undefined;
}

const withoutRecord = lawOf(
  'context/without-the-record',
  'no context holds the whole record of its conversation',
  (history) => {
    let applied = 0;
    const breaches = history.exchanges.flatMap((exchange): Breach[] => {
      if (!isContext(exchange)) return [];
      const { id = '' } = exchange.params;
      const [reply] = recordsIn(history).get(id) ?? [];
      const record = reply && recordIn(reply);
      const names = Object.keys(record ?? {});
      // A record whose fields are all fields of a context cannot be distinguished from the context.
      if (reply === undefined || names.filter((name) => !Object.hasOwn(ruleOf, name)).length < 2) return [];
      applied++;
      for (const [path, value] of valuesOf(jsonOf(exchange))) {
        if (!isObject(value) || !names.every((name) => name in value) || !Object.values(value).includes(id)) continue;
        const where = path.length === 0 ? 'among its own fields' : `at ${path.join('.')}`;
        const observed = `all of ${names.join(', ')} ${where}`;
        return [{ exchange, expected: 'a context without the conversation record', observed, with: [reply] }];
      }
      return [];
    });
    return { applied, breaches };
  },
);

/** Laws about the context of a conversation. */
export const context: readonly Law[] = [...types, absence, labelNames, answersContext, withoutRecord];
