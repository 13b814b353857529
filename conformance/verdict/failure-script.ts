/**
 * A failure as a script that anybody can run again: what puts a record into its state, the request in question, and the look. A pure function
 * of the history.
 */
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import type { Breach } from './law.ts';

/** Requests of a script: more are no longer read. */
const maxRequests = 4;

/** @returns requests in the order of sending; the last one shows the failure */
export function failureScript({ exchange, with: others = [] }: Breach, { exchanges }: History): readonly Exchange[] {
  const { trial, step } = exchange;
  const [, label] = /^(?:missing|extra|twice|unreadable)(?: (.*))?$/.exec(trial?.sign ?? '') ?? [null];
  if (trial === undefined || step === undefined || label === null)
    // An upload needs its start.
    return [...new Set([...others, exchange].flatMap((one) => [...startOf(one, exchanges), one]))];
  const asked = exchanges.filter(
    (one) =>
      one.trial?.id === trial.id &&
      one.trial.arm === 'script' &&
      one.trial.round === trial.round &&
      one.step?.part !== 'look' &&
      one.n < exchange.n,
  );
  const first = asked[0] ?? exchange;
  const before = exchanges.filter(({ n }) => n < first.n);
  const states = [
    ...asked.flatMap((one) => {
      const write = labelWriteOf(one.operation, one.params);
      const record = write && `${one.key?.split('/')[0]} ${holderKey(write.holder)}`;
      return write && record ? stateOf(record, write.label, before) : [];
    }),
    ...stateOf(step.record, label, before),
  ];
  return [...new Set([...states, ...asked, exchange])].slice(-maxRequests);
}

const startOf = ({ operation, params }: Exchange, exchanges: readonly Exchange[]): Exchange[] =>
  operation === 'storage' ? exchanges.filter(({ n }) => String(n) === params.start) : [];

/** The latest write after which the record carried the label, or did not, as it is known of it at the end. */
function stateOf(record: string, label: string | undefined, before: readonly Exchange[]): Exchange[] {
  const own = before.filter(({ step }) => step?.record === record);
  const isOn = own.at(-1)?.step?.carries.includes(label ?? '') ?? false;
  const write = own.findLast((one) => {
    const done = labelWriteOf(one.operation, one.params);
    const isPlain = (one.facts?.mutation ?? null) === null && one.step?.part !== 'look' && succeeded(one);
    return isPlain && done?.label === label && (done?.act === 'apply') === isOn;
  });
  return write === undefined ? [] : [write];
}
