/**
 * A controlled write on a record: its reply and a look after it must show what the model says. A difference is examined: the script sends the
 * write again, the control only waits and looks.
 */
import { operations } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { siteRules } from '../contract/case.ts';
import { isUnavailable } from '../contract/judge.ts';
import { judgeReply } from '../contract/reply.ts';
import type { Request, Who } from '../contract/request.ts';
import { type Exchange, succeeded, type Trial } from '../history/exchange.ts';
import type { LabelAct } from '../target/holder.ts';
import type { Bench } from './bench.ts';
import { isAlike, isOfLabel, type Sign } from './model.ts';
import type { RecordUnderTest } from './record.ts';
import { examine, tryAgain } from './trial.ts';

type Labels = ReadonlySet<string>;

/** What is tried again where a look surprised. */
interface Step {
  readonly rule: RuleId;
  readonly before: Labels;
  readonly after: Labels;
  /** The request, or several at once. */
  readonly act: (b: Bench, trial: Trial) => Promise<unknown>;
  /** The label in question. */
  readonly inQuestion?: string | undefined;
  /** Whether the act is several requests. */
  readonly atOnce?: boolean;
  /** Milliseconds that the act takes beside the request itself. */
  readonly pause?: number;
  /** Another record that the script writes to. */
  readonly other?: { readonly record: RecordUnderTest; readonly state: Labels };
}

/** Looks at what a step did, and repeats what surprises, sign by sign. @param seen by a look before @returns whether anything does */
export async function lookAfter(b: Bench, record: RecordUnderTest, step: Step, seen?: readonly Sign[]) {
  const { before, after, act, atOnce = false, inQuestion, pause = 0, other } = step;
  const look = (bench: Bench, trial?: Trial) => record.look(bench, { rule: step.rule, inQuestion, trial });
  const signs = seen ?? (await look(b));
  if (signs.length === 0) return false;
  const has = (found: readonly Sign[], sign: Sign) => found.some((one) => (atOnce ? isAlike(one, sign) : one === sign));
  const prepare = async (alone: Bench) => {
    await other?.record.establish(alone, other.state);
    // Both arms look first, so that what others change has the same time to show, and not with the label in question, as where it was found.
    record.forget();
    return record.establish(alone, before, inQuestion);
  };
  const rules = new Map(signs.map((sign) => [sign, record.model.ruleOf(sign, step.rule)]));
  for (const [sign, rule] of rules)
    await examine(b, {
      rule,
      sign,
      // What the scripts of each record could not explain may be explained by a write on another record.
      way: other && 'on another record',
      isSpent: (bench) => record.isSpent(bench),
      // From another state than the one in question, neither arm says anything.
      script: async (alone, trial) => {
        if (!(await prepare(alone))) return false;
        await act(alone, trial);
        record.carried = after;
        return has(await look(alone, trial), sign);
      },
      control: async (alone, trial) => {
        if (!(await prepare(alone))) return false;
        await alone.sleep(pause);
        const looked = await look(alone, trial);
        return has(looked, sign) || (record.isRead && looked.some((one) => isOfLabel(one, sign)));
      },
    });
  await record.establish(b, record.carried);
  return true;
}

/** @param how.wait milliseconds after the write, before the look */
export async function write(
  b: Bench,
  record: RecordUnderTest,
  act: LabelAct,
  label: string,
  how: { who?: Who; wait?: number } = {},
): Promise<void> {
  const before = record.carried;
  const { wait = 0 } = how;
  const rule = record.effectRule(act, label);
  const after = record.after(act, label);
  const request: Request = record.request(b, act, label, how);
  const send = async (bench: Bench, trial?: Trial) => {
    const sent = await record.send(bench, request, { part: 'write', rule, carries: after, trial });
    await bench.sleep(wait);
    return sent;
  };
  const exchange = await send(b);
  if (!succeeded(exchange)) await tryWriteAgain(b, record, exchange, { request, before, after });
  if (isUnavailable(exchange)) return void (await record.establish(b, before));
  record.carried = succeeded(exchange) ? after : before;
  await lookAfter(b, record, { rule, before, after, act: send, inQuestion: label, pause: wait });
}

/** A write that is refused or gets no usable reply is sent again, each time in the same state, beside a look. */
async function tryWriteAgain(
  b: Bench,
  record: RecordUnderTest,
  shown: Exchange,
  { request, before, after }: { readonly request: Request; readonly before: Labels; readonly after: Labels },
) {
  for (const { rule, says } of judgeReply(shown, b.deployment)) {
    // Whether the id of the site is the reason, only the other sites show.
    if (says !== 'suspected' || siteRules.includes(rule)) continue;
    const isTried = await tryAgain(b, shown, {
      rule,
      isSpent: (bench) => record.isSpent(bench),
      go: async (alone, trial) => {
        if (!(await record.establish(alone, before))) return null;
        return alone.send(request, record.tags({ part: 'refused', carries: after, trial }));
      },
      control: async (alone, trial) => {
        if (!(await record.establish(alone, before))) return null;
        // Beside a write that changes nothing, one that does: a look at a record that no read shows is itself the former.
        if (!record.isRead && before.size === after.size) {
          const { who, label: { id } = { id: '' } } = request;
          const act = before.has(id) ? 'remove' : 'apply';
          const write = record.request(alone, act, id, { who });
          record.carried = record.after(act, id);
          return alone.send(write, record.tags({ part: 'refused', trial }));
        }
        // The same key, which may be blocked. Where it may read nothing but what needs no scope, perhaps no key is looked at there: then others, too.
        const reads = [...(b.state.reads.get(shown.key ?? '')?.values() ?? [])];
        const scoped = reads.find(({ operation }) => operations[operation].scopes.length > 0);
        const read = scoped ?? reads[0];
        const own = read ? await alone.send(read, { trial }) : null;
        if (own && (scoped || !succeeded(own))) return own;
        await record.look(alone, { rule: null, trial });
        return null;
      },
    });
    // The last round may have carried the write out.
    if (isTried) await record.establish(b, before);
  }
}
