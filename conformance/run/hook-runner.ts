import type { HookName } from '../../spec/files/hooks.ts';
import type { Redaction } from '../../spec/redaction/redaction.ts';
import { jsonOrUndefined } from '../../spec/text/json-or-undefined.ts';
import { Stopped } from '../client/ask.ts';
import type { Environment } from '../client/environment.ts';
import type { HookCall } from '../history/hook-call.ts';
import { callWords, commandOf } from '../hooks/command.ts';
import { type BorrowedByHook, entryKey, type WriteJournal } from '../journal/write-journal.ts';
import type { Deployment } from '../target/deployment.ts';
import { variableName } from '../target/secrets.ts';

export type HookRunner = ReturnType<typeof createHookRunner>;

interface HookRunnerOptions {
  readonly deployment: Pick<Deployment, 'hooks' | 'baseUrl'>;
  readonly environment: Environment;
  readonly redaction: Redaction;
  readonly journal: WriteJournal;
  /** Milliseconds that a command may take. */
  readonly timeout: () => number;
  readonly record: (call: HookCall) => void;
}

/** For each hook that changes something, the hook that undoes the change. */
const inverses = {
  createKey: 'revokeKey',
  applyPrivateLabel: 'removePrivateLabel',
  closeConversation: 'reopenConversation',
} as const satisfies Partial<Record<HookName, HookName>>;

export function createHookRunner(options: HookRunnerOptions) {
  const { environment, redaction, journal, record } = options;
  const { hooks, baseUrl } = options.deployment;
  const changes = new Map<string, BorrowedByHook & { readonly script: string }>();
  const left: string[] = [];
  let secrets = 0;

  /** Adds the secret in the output of a hook to the redaction. Returns whether there was one. */
  const redactSecret = (output: unknown, tenant: string, name: string) => {
    const { secret } = (output ?? {}) as { readonly secret?: unknown };
    if (typeof secret !== 'string' || !/^[\x21-\x7e]{8,}$/.test(secret)) return false;
    if (!redaction.holds(secret)) redaction.add(secret, `$${variableName(`${tenant}_${name}_${++secrets}_KEY`)}`);
    return true;
  };

  async function run(hook: HookName, tenant: string, input: HookCall['input'], script: string): Promise<unknown> {
    const startedAt = environment.now();
    const call = { script, hook, tenant, input, startedAt };
    const timeout = options.timeout();
    if (timeout <= 0) throw new Stopped('interrupted');
    const command = commandOf(hook, hooks[hook] ?? '', baseUrl, { tenant, ...input }, timeout);
    const { stdout, stderr, problem } = await environment.command(command);
    const output = jsonOrUndefined(stdout);
    const printsSecret = hook === 'createKey' || hook === 'regenerateKey';
    const lacksSecret = printsSecret && problem === null && !redactSecret(output, tenant, String(input.name));
    const failure = lacksSecret ? 'the command printed no JSON with a secret' : problem;
    const clean = (text: string) => redaction.apply(text);
    const lastLine = clean(stderr).trim().split('\n').at(-1)?.slice(0, 200) ?? '';
    record({
      ...call,
      doneAt: environment.now(),
      ...(output !== undefined && { output: jsonOrUndefined(clean(JSON.stringify(output))) }),
      failure,
    });
    if (failure !== null) throw new Stopped(`hooks.${hook} failed: ${failure}${lastLine && ` (${lastLine})`}`);
    return output;
  }

  const remember = async (change: BorrowedByHook, script: string) => {
    changes.set(entryKey(change), { ...change, script });
    await journal.borrowed(change);
  };

  return {
    /** Changes that could not be undone, in words. */
    left,
    /**
     * Runs a hook, after journaling the hook that undoes it.
     * @returns its output as JSON, not redacted
     * @throws Stopped when the hook fails, because the script cannot go on without it
     */
    async run(hook: HookName, tenant: string, input: HookCall['input'], script: string): Promise<unknown> {
      const inverse = inverses[hook as keyof typeof inverses];
      const change = { tenant, hook: inverse ?? hook, input: textsIn(input) };
      if (inverse !== undefined) await remember(change, script);
      const output = await run(hook, tenant, input, script);
      const { id } = (output ?? {}) as { readonly id?: unknown };
      if (hook === 'createKey' && id !== undefined)
        await remember({ ...change, input: { ...change.input, id: String(id) } }, script);
      // The script itself has run the inverse.
      if (inverse === undefined && changes.delete(entryKey(change))) await journal.returned(change);
      return output;
    },
    /** Undoes the hooks that the script ran. */
    async undo(script: string): Promise<void> {
      for (const [name, { script: owner, ...change }] of changes) {
        if (owner !== script) continue;
        changes.delete(name);
        const problem = await run(change.hook, change.tenant, change.input, script).then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (problem === null) await journal.returned(change);
        else left.push(`${callWords(change)}: ${problem}`);
      }
    },
  };
}

/** The inputs that are texts: they identify what the hook changed. Lists only describe it. */
const textsIn = (input: HookCall['input']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  );
