import { type Exchange, isObject, jsonOf, refused, succeeded, valuesOf } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { type HookCall, namesLabel } from '../../hooks/hook-call.ts';
import { labelWriteOf } from '../../target/holder.ts';
import { privatesOf, sparesOf, tenantsOf } from '../../target/records.ts';
import { askedBy, deploymentIn } from '../judging/asked.ts';
import { answerOf, refusalPatch } from '../judging/error-body.ts';
import { type Breach, type Finding, type Law, lawOf, once } from '../judging/law.ts';
import { labelEffects } from './label-effects.ts';
import { labelSetsIn } from './sets/label-sets.ts';

/** Private labels of both tenants. */
const allPrivates = once((history) => tenantsOf(deploymentIn(history)).flatMap(privatesOf));

/** Names of public labels. A private label with such a name cannot be recognised by its name. */
const publicNames = once((history: History): ReadonlySet<string> => {
  const hidden = new Set(allPrivates(history).map(({ id }) => id.toLowerCase()));
  const property = nameProperty(history);
  return new Set(
    history.exchanges
      .filter((exchange) => exchange.operation === 'listLabels' && succeeded(exchange))
      .flatMap((exchange) =>
        recordsIn(jsonOf(exchange)).flatMap((record) => {
          if (Object.values(record).some((value) => hidden.has(String(value).toLowerCase()))) return [];
          const value = record[property];
          return typeof value === 'string' ? [value] : [];
        }),
      ),
  );
});

const recordsIn = (json: unknown) => [...valuesOf(json)].flatMap(([, value]) => (isObject(value) ? [value] : []));

/** The property that contains the name of a label, as the spare label shows it. */
const nameProperty = once((history: History): string => {
  for (const spare of sparesOf(deploymentIn(history).tenant))
    for (const exchange of history.exchanges) {
      if (exchange.operation !== 'listLabels' || spare.name === undefined) continue;
      for (const record of recordsIn(jsonOf(exchange))) {
        const property = Object.keys(record).find((name) => record[name] === spare.name);
        if (property !== undefined) return property;
      }
    }
  return 'name';
});

/** Whether a name is too long to be in a reply by chance. */
const isDistinctive = (name: string) => name.length >= 8;

/** Whether a property is named like the label, unless the name is a word: `description` is a property of many records. */
const isPropertyName = (step: string | number | undefined, name: string) =>
  typeof step === 'string' && /\W/.test(name) && step.toLowerCase() === name.toLowerCase();

/** Whether a text is a list of nothing but names of labels, with this one among them. */
function isJoinedList(value: unknown, name: string, history: History): boolean {
  if (typeof value !== 'string' || !value.includes(name)) return false;
  const parts = value.split(/[,;|]/).map((part) => part.trim());
  const isLabel = (part: string) =>
    publicNames(history).has(part) || allPrivates(history).some((one) => one.name === part);
  return parts.length > 1 && parts.includes(name) && parts.every(isLabel);
}

/** Where the reply shows a private label, in words; null where it shows none. */
function privateLabelIn(exchange: Exchange, history: History): string | null {
  const body = (exchange.body ?? '').toLowerCase();
  const headers = Object.values(exchange.headers).join('\n');
  const lowerHeaders = headers.toLowerCase();
  const request = `${exchange.url} ${exchange.requestBody ?? ''}`.toLowerCase();
  for (const { id, name } of allPrivates(history)) {
    const lowerId = id.toLowerCase();
    const echo = request.includes(lowerId);
    if (!echo && (body.includes(lowerId) || lowerHeaders.includes(lowerId))) return `its id ${id} in the reply`;
    if (echo && succeeded(exchange) && labelSetsIn(history).of.get(exchange)?.labels.has(lowerId))
      return `its id ${id} in the set of labels`;
    if (name === undefined || publicNames(history).has(name)) continue;
    const isNamed = body.includes(name.toLowerCase()) && !request.includes(name.toLowerCase());
    if (!succeeded(exchange) && isNamed && (echo ? name.length >= 5 : isDistinctive(name)))
      return `its name "${name}" in the refusal`;
    if (isDistinctive(name) && headers.includes(name)) return `its name "${name}" in a header`;
    // Most replies need no further look: without escapes, every text of a JSON stands in its body as it is.
    if (!body.includes(name.toLowerCase()) && !body.includes('\\')) continue;
    if (succeeded(exchange) && isDistinctive(name)) {
      const isNamed = (value: unknown) =>
        typeof value === 'string' &&
        value.toLowerCase() === name.toLowerCase() &&
        !publicNames(history).has(value) &&
        !request.includes(value.toLowerCase());
      const item = valuesOf(jsonOf(exchange)).find(
        ([path, value]) => typeof path.at(-1) === 'number' && (value === name || isNamed(value)),
      );
      if (item) return `its name "${name}" in a list, at ${item[0].join('.')}`;
      const other = valuesOf(jsonOf(exchange)).find(
        ([path, value]) => isPropertyName(path.at(-1), name) || isJoinedList(value, name, history),
      );
      if (other && !request.includes(name.toLowerCase())) return `its name "${name}" at ${other[0].join('.')}`;
    }
    if (showsLabels(exchange)) {
      for (const [path, value] of valuesOf(jsonOf(exchange))) {
        if (
          value !== name ||
          (!path.some((step) => /label|member|item/i.test(String(step))) && !isLabelReply(exchange))
        )
          continue;
        const last = path.findLast((step) => typeof step === 'string');
        const item = typeof path.at(-1) === 'number' || last === nameProperty(history);
        if (item || isDistinctive(name)) return `its name "${name}" at ${path.join('.')}`;
      }
    }
  }
  return null;
}

const isLabelReply = ({ operation, params }: Exchange) =>
  operation === 'listLabels' || labelWriteOf(operation, params) !== null;
const showsLabels = (exchange: Exchange) =>
  succeeded(exchange) && (isLabelReply(exchange) || exchange.operation === 'getConversationContext');

/** Whether a write is about a private label of the key's own tenant, by a key with the scopes for the write. */
const ofPrivate = (act: 'apply' | 'remove') => (exchange: Exchange, history: History) => {
  const { write, label, record, authenticates, lacks } = askedBy(exchange, history);
  return (
    write?.act === act &&
    label === 'private' &&
    record === 'ours' &&
    authenticates &&
    lacks.length === 0 &&
    exchange.status !== 429
  );
};

/** Laws about private labels. */
export const privateLabels: readonly Law[] = [
  lawOf(
    'labels/private-never-in-a-reply',
    'no reply has a private label: its id nowhere, its name nowhere that labels stand',
    (history) => {
      if (allPrivates(history).length === 0) return { applied: 0, breaches: [] };
      const replies = history.exchanges.filter(({ status }) => status !== null);
      const breaches = replies.flatMap((exchange): Breach[] => {
        const observed = privateLabelIn(exchange, history);
        return observed === null ? [] : [{ exchange, expected: 'no private label', observed }];
      });
      // Without replies that show labels, the law proves nothing.
      const canTell = replies.some(showsLabels);
      return { applied: canTell ? replies.length : breaches.length, breaches };
    },
  ),
  lawOf('labels/private-cannot-be-applied', 'a private label cannot be applied', (history) => {
    const concerned = history.exchanges.filter(
      (exchange) => exchange.status !== null && ofPrivate('apply')(exchange, history),
    );
    return {
      ...refusalAnswers(concerned),
      breaches: [
        ...concerned.filter(succeeded).map((exchange) => ({
          exchange,
          expected: `a refusal: applying a private label by ${exchange.key}`,
          observed: `${exchange.status}`,
        })),
        ...changedInside(concerned.filter(refused), 'apply', history),
      ],
    };
  }),
  lawOf('labels/private-cannot-be-removed', 'removing a private label changes nothing', (history) => {
    const concerned = history.exchanges.filter(
      (exchange) => exchange.status !== null && (exchange.status ?? 0) < 500 && ofPrivate('remove')(exchange, history),
    );
    const removals = new Set(concerned);
    const effects = labelEffects(history, (write) => removals.has(write));
    const breaches = [...effects.breaches, ...changedInside(concerned, 'remove', history)];
    const answeredWithSuccess = concerned.filter(succeeded).length;
    const { applied, answers, profile } = refusalAnswers(concerned);
    return {
      applied,
      breaches,
      unclear: effects.unclear,
      answers:
        answeredWithSuccess > 0 && history.hooks.length === 0
          ? [
              `${answeredWithSuccess} of ${applied} removals were answered with success; only the product could show whether they changed anything`,
            ]
          : answers,
      profile: answeredWithSuccess > 0 ? [] : profile,
    };
  }),
];

/** Writes of a private label that changed what the product itself shows when a hook asks it. */
function changedInside(writes: readonly Exchange[], act: 'apply' | 'remove', { hooks }: History): Breach[] {
  const shows = hooks.filter(({ hook, failure }) => hook === 'showLabels' && failure === null);
  return writes.flatMap((exchange) => {
    const { situation, params, sentAt, doneAt } = exchange;
    const calls = shows.filter((call) => call.situation === situation);
    const before = calls.findLast((call) => call.doneAt <= sentAt);
    const after = calls.find((call) => call.startedAt >= doneAt);
    const has = ({ output }: HookCall) => namesLabel(output, params.labelId ?? '');
    const wasOn = act === 'remove';
    if (before === undefined || after === undefined || has(before) !== wasOn || has(after) === wasOn) return [];
    const [expected, observed] = wasOn
      ? ['the private label stays on the record', 'the product does not show the label there any more']
      : ['the private label does not come to the record', 'the product shows the label there now'];
    return [{ exchange, expected, observed }];
  });
}

function refusalAnswers(concerned: readonly Exchange[]): Required<Pick<Finding, 'applied' | 'answers' | 'profile'>> {
  const [first] = concerned.filter(refused);
  if (first === undefined) return { applied: concerned.length, answers: [], profile: [] };
  return {
    applied: concerned.length,
    answers: [`refused: ${answerOf(first)}`],
    profile: [refusalPatch('private-label', first)],
  };
}
