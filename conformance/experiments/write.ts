/**
 * A controlled write on a record: its reply and a look after it must show what the model says. A difference is examined: the script sends the
 * write again, the control only waits and looks.
 */
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import type { Change, Request, Who } from '../contract/request.ts';
import { doubtsOf, replySigns } from '../contract/signs.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import type { LabelKind } from '../history/facts.ts';
import type { LabelAct } from '../target/holder.ts';
import type { Bench } from './bench.ts';
import { type Difference, signOf } from './differences.ts';
import type { Shelf } from './shelf.ts';
import { examine } from './trial.ts';

type Labels = ReadonlySet<string>;

/** What is tried again where a look surprised. */
interface Step {
  readonly rule: RuleId;
  readonly before: Labels;
  readonly after: Labels;
  /** The request, or several at once. @returns whether the replies themselves show the sign */
  readonly act: (b: Bench, trial: Trial) => Promise<readonly Difference[]>;
  /** The label in question. */
  readonly guarded?: string | undefined;
  /** Milliseconds that the act takes beside the request itself. */
  readonly pause?: number;
  /** Another record whose state belongs to the script. */
  readonly beside?: { readonly shelf: Shelf; readonly state: Labels };
}

/** Repeats what surprised, sign by sign. */
export async function examineStep(b: Bench, shelf: Shelf, differences: readonly Difference[], step: Step) {
  const { rule, before, after, act, guarded, pause = 0, beside } = step;
  const prepare = async (alone: Bench) => {
    await beside?.shelf.establish(alone, beside.state);
    await shelf.establish(alone, before);
  };
  const shows = (sign: string, found: readonly Difference[]) => found.some((one) => signOf(one) === sign);
  for (const sign of new Set(differences.map(signOf)))
    await examine(b, {
      rule: ruleOf(sign, rule),
      sign,
      // What the scripts of each record could not explain may be explained by a write on another record.
      way: beside && 'on another record',
      isSpent: (bench) => shelf.isSpent(bench),
      script: async (alone, trial) => {
        await prepare(alone);
        const replied = await act(alone, trial);
        shelf.carried = after;
        const looked = await shelf.look(alone, { rule, guarded, trial });
        return shows(sign, [...replied, ...looked]);
      },
      control: async (alone, trial) => {
        await prepare(alone);
        await alone.sleep(pause);
        return shows(sign, await shelf.look(alone, { rule, guarded, trial }));
      },
    });
  await shelf.establish(b, shelf.carried);
}

/** The rule that a sign breaks, where a look after a write for this rule shows it. */
export const ruleOf = (sign: string, rule: RuleId): RuleId => (sign === 'twice' ? 'labels/membership-is-a-set' : rule);

/** The rule about what a write that changes something does. */
export const effectOf = (act: LabelAct): RuleId => (act === 'apply' ? 'labels/apply-adds' : 'labels/remove-removes');

/** The rule that is broken if the effect of this write is wrong. */
function effectRule(shelf: Shelf, act: LabelAct, label: string, before: Labels): RuleId {
  if (before.has(label) === (act === 'apply'))
    return act === 'apply' ? 'labels/apply-is-idempotent' : 'labels/remove-is-idempotent';
  if (shelf.isClosed) return 'labels/closed-conversation-can-be-labelled';
  return effectOf(act);
}

/** @param how.rest milliseconds of silence before the write; `wait`: after it, before the look */
export async function write(
  b: Bench,
  shelf: Shelf,
  act: LabelAct,
  label: string,
  how: { who?: Who; kind?: LabelKind; change?: Change; rest?: number; wait?: number } = {},
): Promise<void> {
  const before = shelf.carried;
  const { rest = 0, wait = 0 } = how;
  const isCarried = how.kind === 'carried';
  const rule = isCarried ? 'labels/apply-is-idempotent' : effectRule(shelf, act, label, before);
  const after = isCarried ? before : shelf.after(act, label);
  const request: Request = shelf.request(b, act, label, how);
  const send = async (bench: Bench, trial?: Trial): Promise<Exchange> => {
    await bench.sleep(rest);
    const exchange = await bench.send(request, { step: shelf.step('write', rule, after), trial });
    await bench.sleep(wait);
    return exchange;
  };
  const exchange = await send(b);
  if (!succeeded(exchange)) await examineReply(b, shelf, exchange, { request, before, rest });
  if (isUnavailable(exchange)) return void (await shelf.establish(b, before));
  shelf.carried = succeeded(exchange) ? after : before;
  const differences = [
    ...shelf.compare(request.operation, exchange),
    ...(await shelf.look(b, { rule, guarded: label })),
  ];
  if (differences.length === 0) return;
  const again = async (bench: Bench, trial: Trial) => shelf.compare(request.operation, await send(bench, trial), after);
  await examineStep(b, shelf, differences, { rule, before, after, act: again, guarded: label, pause: rest + wait });
}

/** A write that is refused or gets no usable reply is sent again, each time in the same state, beside a look. */
async function examineReply(
  b: Bench,
  shelf: Shelf,
  shown: Exchange,
  { request, before, rest }: { readonly request: Request; readonly before: Labels; readonly rest: number },
) {
  for (const { rule, sign } of doubtsOf(shown, b.deployment)) {
    const answer = await examine(b, {
      rule,
      sign,
      isSpent: (bench) => shelf.isSpent(bench),
      script: async (alone, trial) => {
        await shelf.establish(alone, before);
        await alone.sleep(rest);
        return replySigns(await alone.send(request, { trial }), b.deployment, rule).includes(sign);
      },
      control: async (alone, trial) => {
        await shelf.establish(alone, before);
        await alone.sleep(rest);
        // The same key, which may be blocked, if it may read anything.
        const [read] = [...(b.state.reads.get(shown.key ?? '')?.values() ?? [])];
        if (read) return !succeeded(await alone.send(read, { trial }));
        await shelf.look(alone, { rule: null, trial });
        return false;
      },
    });
    // The last round may have carried the write out.
    if (answer !== null) await shelf.establish(b, before);
  }
}
