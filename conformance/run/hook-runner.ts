import type { HookName, Hooks } from '../../spec/files/hooks.ts';
import type { Redaction } from '../../spec/redaction/redaction.ts';
import type { Environment } from '../client/environment.ts';
import { commandOf, inputWords } from '../hooks/command.ts';
import type { HookCall, HookValue } from '../hooks/hook-call.ts';
import type { BorrowedByHook, WriteJournal } from '../journal/write-journal.ts';
import { debtName } from '../journal/write-journal.ts';
import { Stopped } from '../situations/asking/situation.ts';
import { variableName } from '../target/secrets.ts';

export interface HookRunner {
  /**
   * Runs a command of the target file; what undoes it is journaled first.
   * @returns what it printed, as JSON, secrets and all
   * @throws Stopped when it fails: then nothing that depends on it can be judged
   */
  run(hook: HookName, tenant: string, input: Readonly<Record<string, HookValue>>, situation: string): Promise<unknown>;
  /** Undoes what the situation has done. */
  giveBack(situation: string): Promise<void>;
  /** What could not be undone, in words. */
  readonly left: readonly string[];
}

interface HookRunnerOptions {
  readonly hooks: Hooks;
  readonly baseUrl: string;
  readonly environment: Environment;
  readonly redaction: Redaction;
  readonly journal: WriteJournal;
  readonly timeout: number;
  readonly record: (call: HookCall) => void;
  /** Records the commands in place of running them. */
  readonly planning: boolean;
}

/** For each hook that changes something, the hook that undoes the change. */
const inverses = {
  createKey: 'revokeKey',
  applyPrivateLabel: 'removePrivateLabel',
  closeConversation: 'reopenConversation',
} as const satisfies Partial<Record<HookName, HookName>>;

export function createHookRunner(options: HookRunnerOptions): HookRunner {
  const { hooks, environment, redaction, journal, record, planning } = options;
  const debts = new Map<string, BorrowedByHook & { readonly situation: string }>();
  const left: string[] = [];
  let secrets = 0;

  /** Hides a secret in histories and reports, always under the same name. */
  const learn = (output: unknown, tenant: string, name: string) => {
    const { secret } = (output ?? {}) as { readonly secret?: unknown };
    if (typeof secret !== 'string' || !/^[\x21-\x7e]{8,}$/.test(secret)) return false;
    if (!redaction.holds(secret)) redaction.add(secret, `$${variableName(`${tenant}_${name}_${++secrets}_KEY`)}`);
    return true;
  };

  async function run(hook: HookName, tenant: string, input: HookCall['input'], situation: string): Promise<unknown> {
    const startedAt = environment.now();
    const call = { situation, hook, tenant, input, startedAt };
    if (planning) {
      record({ ...call, doneAt: startedAt, failure: null });
      return { id: 'planned', secret: 'planned-in-place-of-a-secret' };
    }
    const command = commandOf(hook, hooks[hook] ?? '', options.baseUrl, { tenant, ...input }, options.timeout);
    const { stdout, stderr, problem } = await environment.command(command);
    const output = jsonIn(stdout);
    const reveals = hook === 'createKey' || hook === 'regenerateKey';
    const silent = reveals && problem === null && !learn(output, tenant, String(input.name));
    const failure = silent ? 'the command printed no JSON with a secret' : problem;
    const clean = (text: string) => redaction.apply(text);
    const said = clean(stderr).trim().split('\n').at(-1)?.slice(0, 200) ?? '';
    record({
      ...call,
      doneAt: environment.now(),
      ...(output !== undefined && { output: jsonIn(clean(JSON.stringify(output))) }),
      failure,
    });
    if (failure !== null) throw new Stopped(`hooks.${hook} to succeed: ${failure}${said && ` (${said})`}`);
    return output;
  }

  const owe = async (debt: BorrowedByHook, situation: string) => {
    debts.set(debtName(debt), { ...debt, situation });
    await journal.borrowed(debt);
  };

  return {
    left,
    async run(hook, tenant, input, situation) {
      const undoing = inverses[hook as keyof typeof inverses];
      const debt = { tenant, hook: undoing ?? hook, input: textsIn(input) };
      if (undoing !== undefined && !planning) await owe(debt, situation);
      const output = await run(hook, tenant, input, situation);
      if (planning) return output;
      const { id } = (output ?? {}) as { readonly id?: unknown };
      if (hook === 'createKey' && id !== undefined)
        await owe({ ...debt, input: { ...debt.input, id: String(id) } }, situation);
      if (undoing === undefined && debts.delete(debtName(debt))) await journal.returned(debt);
      return output;
    },
    async giveBack(situation) {
      for (const [name, { situation: owner, ...debt }] of debts) {
        if (owner !== situation) continue;
        debts.delete(name);
        const why = await run(debt.hook, debt.tenant, debt.input, situation).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (why === null) await journal.returned(debt);
        else left.push(`${inputWords(debt)}: it needs ${why}`);
      }
    },
  };
}

/** The inputs that identify a thing to be undone; lists only describe it. */
const textsIn = (input: HookCall['input']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  );

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
