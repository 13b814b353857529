import type { Traffic } from '../../conformance/certification/index.ts';
import { trafficOf } from '../../conformance/certification/recordings/traffic-of.ts';
import type { TenantSeed } from '../../mock/seed/schema.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { createRedaction } from '../../spec/redaction/redaction.ts';
import { terminalText } from '../../spec/text/terminal-text.ts';
import { startClientMock } from './client-mock.ts';
import { withEnvFile } from './env-file.ts';
import { type Ended, runCommand } from './run-command.ts';
import type { TenantState } from './tenant-state.ts';
import { environmentOf, givenBy, type Names, type Values } from './variables.ts';
import type { Arrangement } from './variations/variation.ts';

/** The options that are the same in every run. */
export interface ClientOptions {
  readonly command: readonly string[];
  readonly names: Names;
  readonly seeds: readonly TenantSeed[];
  readonly profile?: Profile | undefined;
  /** The longest time for one run, in milliseconds. */
  readonly timeout: number;
  readonly envFile?: string | undefined;
  readonly signal: AbortSignal;
}

/** The result of one run. */
export interface ClientRun {
  readonly ended: Ended;
  readonly succeeded: boolean;
  readonly state: TenantState;
  /** All changes that existed at some time. */
  readonly passed: TenantState;
  readonly traffic: Traffic;
  readonly values: Values;
}

interface RunOptions {
  /** The name of the run in reports. */
  readonly id: string;
  readonly arrangement?: Arrangement;
  readonly varied: boolean;
  readonly timeout?: number;
}

let numbered = 0;

/** Runs the command once, against a mock of its own. */
export async function runClient(client: ClientOptions, run: RunOptions): Promise<ClientRun> {
  const { command, names, seeds, profile, envFile, signal } = client;
  const { id, arrangement, varied, timeout = client.timeout } = run;
  await using service = await startClientMock({ seeds, profile, ...(arrangement && { arrangement }) });
  const { values } = service;
  const variables = environmentOf(values, names);
  const env = { ...process.env, ...variables, ...withoutProxy(process.env) };
  const ended = await withEnvFile(envFile, variables, () => runCommand({ command, env, timeout, signal }));
  const succeeded = ended.code === 0 && !ended.timedOut;
  const mark = `$${names.KEY.at(-1)}`;
  const keys = new Map([[values.KEY ?? '', mark]]);
  const first = numbered + 1;
  numbered += service.entries.length;
  const given = givenBy(values, names);
  const traffic = trafficOf(service.entries, { id, varied, succeeded, given, keys, first });
  const redaction = createRedaction();
  redaction.add(values.KEY ?? '', mark);
  const output = terminalText(redaction.apply(ended.output));
  return { ended: { ...ended, output }, succeeded, state: service.state(), passed: service.passed(), traffic, values };
}

/** The mock is on this machine, so requests must not go through a proxy. */
function withoutProxy({ NO_PROXY, no_proxy }: NodeJS.ProcessEnv): Record<string, string> {
  const all = [NO_PROXY ?? no_proxy, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { NO_PROXY: all, no_proxy: all };
}
