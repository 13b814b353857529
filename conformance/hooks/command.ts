import type { HookName } from '../../spec/files/hooks.ts';
import type { HookCall } from '../history/hook-call.ts';

/** A hook of the target file, ready to run. */
export interface Command {
  readonly line: string;
  /** For stdin. */
  readonly input: string;
  /** Added to the environment of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
}

/** What a hook printed, and whether it failed. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Why the command failed; null where it succeeded. */
  readonly problem: string | null;
}

/** The command with its input, both as JSON and as variables: `PARTNERKIT_RECORD=conversation/c1`. */
export function commandOf(
  hook: HookName,
  line: string,
  baseUrl: string,
  input: HookCall['input'],
  timeoutMilliseconds: number,
): Command {
  const all: HookCall['input'] = { hook, baseUrl, ...input };
  const variables = Object.entries(all).map(([name, value]) => [
    `PARTNERKIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
    typeof value === 'object' ? value.join(' ') : String(value),
  ]);
  return { line, input: JSON.stringify(input), variables: Object.fromEntries(variables), timeoutMilliseconds };
}

/** A hook call in words: `revokeKey of acme: name check-1`. */
export const callWords = ({ hook, tenant, input }: Pick<HookCall, 'hook' | 'tenant' | 'input'>): string =>
  `${hook} of ${tenant}: ${Object.entries(input)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`;
