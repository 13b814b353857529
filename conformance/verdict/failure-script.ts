/**
 * A failure as a script that anybody can run again: what puts a record into its state, the request in question, and the look. A pure function
 * of the history.
 */
import { z } from 'zod';
import { readingOf } from '../experiments/model.ts';
import { tokensIn, type View } from '../experiments/views.ts';
import { type Exchange, jsonOf, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import type { Breach } from './law.ts';
import { trafficOf } from './traffic.ts';

/** Where a reply shows a wrong label: in the list at `at`, each item of which has its token at `pick`. */
type Sight = z.output<typeof sightSchema>;
export const sightSchema = z.strictObject({
  at: z.array(z.string()).describe('The list of labels in the reply.'),
  pick: z.array(z.string()).describe('Where an item of this list has the name or the id of its label.'),
  what: z.enum(['missing', 'extra', 'twice', 'unreadable']),
  labels: z.array(z.string()).describe('The labels in question: ids in lower case, names as they are.'),
  id: z.string().optional().describe('Id of the spare label in question, if it is one.'),
});

/** Requests of a script: more are no longer read. */
const maxRequests = 4;

const isLook = ({ step }: Exchange) => step?.part === 'look';
const isState = ({ step }: Exchange) => step?.part === 'write' && step.rule === null;

/** Its requests in the order of sending, the last of which shows the failure, and those that the control leaves out. */
export function failureScript(
  { exchange, with: others = [] }: Pick<Breach, 'exchange'> & Partial<Pick<Breach, 'with'>>,
  history: History,
): { requests: readonly Exchange[]; inQuestion: readonly Exchange[]; sight?: Sight } {
  const { trial } = exchange;
  const round = history.exchanges.filter(
    (one) => trial && one.trial?.id === trial.id && one.trial.arm === 'script' && one.trial.round === trial.round,
  );
  const before = round.filter((one) => one.n < exchange.n && !isLook(one));
  const asked = before.filter((one) => !isState(one));
  const sight = trial && exchange.step && sightOf(exchange, trial.sign, history);
  if (sight === undefined) return { requests: startsOf([...others, exchange], history), inQuestion: [] };
  const inQuestion = isLook(exchange) ? asked : [...asked, exchange];
  const states = [...inQuestion, exchange].flatMap((one) => stateOf(one, exchange, inQuestion, history));
  const requests = [...new Set([...before.filter(isState), ...states, ...asked, exchange])];
  return { requests: requests.slice(-maxRequests), inQuestion, sight };
}

/** An upload needs its start. */
const startsOf = (requests: readonly Exchange[], { exchanges }: History): Exchange[] => [
  ...new Set(
    requests.flatMap((one) => {
      const start = one.operation === 'storage' ? exchanges.find(({ n }) => String(n) === one.params.start) : undefined;
      return start === undefined ? [one] : [start, one];
    }),
  ),
];

/** The last plain write before the requests in question that put a label into its state: that which they write, or that which is shown wrong. */
function stateOf(one: Exchange, shown: Exchange, inQuestion: readonly Exchange[], { exchanges }: History): Exchange[] {
  const write = one === shown ? null : labelWriteOf(one.operation, one.params);
  const label = write?.label ?? shown.trial?.sign.split(' ')[1] ?? '';
  const isHere = ({ step }: Exchange) =>
    write ? step?.record.endsWith(` ${holderKey(write.holder)}`) : step?.record === shown.step?.record;
  const before = exchanges.filter((other) => other.n < (inQuestion[0] ?? shown).n && other.step && isHere(other));
  // A look takes over what the record carries.
  const act = before.at(-1)?.step?.carries.includes(label) ? 'apply' : 'remove';
  const found = before.findLast((other) => {
    const wrote = labelWriteOf(other.operation, other.params);
    const isPlain = !isLook(other) && succeeded(other) && other.facts?.mutation === null;
    return isPlain && wrote?.label === label && wrote.act === act;
  });
  return found === undefined ? [] : [found];
}

function sightOf(exchange: Exchange, sign: string, history: History): Sight | undefined {
  const knows = trafficOf(history).learned.get(exchange.step?.record ?? '');
  const view: View | undefined = knows?.views.get(exchange.operation as never);
  const [what, label] = sign.split(' ') as [Sight['what'], string | undefined];
  if (view === undefined || !['missing', 'extra', 'twice', 'unreadable'].includes(what)) return undefined;
  const [at, pick] = [[...view.at], [...view.pick]];
  if (label !== 'foreign') {
    const token = label && view.tokens.get(label);
    return { at, pick, what, labels: token === undefined || token === '' ? [] : [token], ...(label && { id: label }) };
  }
  const foreignIn = (one: Exchange | undefined) => [...((one && readingOf(view, one)?.foreign) ?? [])];
  const first = history.exchanges.find(
    (one) => one.step?.record === exchange.step?.record && one.operation === exchange.operation && succeeded(one),
  );
  const [before, now] = [foreignIn(first), foreignIn(exchange)];
  const [some, others] = what === 'missing' ? [before, now] : [now, before];
  return { at, pick, what, labels: some.filter((one) => !others.includes(one)) };
}

/** Whether a reply shows what was wrong; null where it is no success. */
export function isSeen({ at, pick, what, labels }: Sight, exchange: Exchange): boolean | null {
  if (!succeeded(exchange)) return null;
  const tokens = tokensIn({ at, pick }, jsonOf(exchange));
  if (what === 'unreadable' || tokens === null) return what === 'unreadable' && tokens === null;
  if (what === 'twice') return new Set(tokens).size < tokens.length;
  return labels.some((label) => tokens.includes(label) === (what === 'extra'));
}
