import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TenantSeed } from '../../mock/seed/schema.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { runInGroup } from '../../spec/process-group.ts';
import { createRedaction } from '../../spec/redaction/redaction.ts';
import { terminalText } from '../../spec/text/terminal-text.ts';
import { startClientMock } from './client-mock.ts';
import { attemptsIn, isFailure, maxAttempts, trafficOf } from './traffic.ts';
import { environmentOf, givenBy, type Names } from './variables.ts';
import type { Arrangement } from './variations/variation.ts';

/** The options that are the same in every run. */
export interface ClientOptions {
  readonly command: readonly string[];
  readonly names: Names;
  readonly seeds: readonly TenantSeed[];
  readonly profile?: Profile | undefined;
  /** The longest time for one run, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** The result of one run. */
export type ClientRun = Awaited<ReturnType<typeof runClient>>;

interface RunOptions {
  /** The name of the run in reports. */
  readonly id: string;
  /** What is tried, in words. */
  readonly title: string;
  /** How the mock differs; by default it does not. */
  readonly arrangements?: readonly Arrangement[];
  /** Whether something fails for good. Then a run that shows endless retrying is stopped. */
  readonly fails?: boolean;
}

let numbered = 0;

/** Milliseconds between two looks at how late timers are. */
const timerMs = 10;

/** Runs the command once, against a mock of its own. */
export async function runClient(client: ClientOptions, run: RunOptions) {
  const { names, seeds, profile } = client;
  const { id, arrangements = [], fails = false } = run;
  const enough = new AbortController();
  /** The most attempts at one request that are still failing. */
  const attempts = () =>
    Math.max(0, ...attemptsIn(service.entries).map((all) => (all.every(isFailure) ? all.length : 0)));
  const onEntry = () => fails && attempts() > maxAttempts && enough.abort();
  await using service = await startClientMock({ seeds, profile, onEntry, arrangements });
  const { values } = service;
  const env = { ...process.env, ...environmentOf(values, names), ...withoutProxy(process.env) };
  const delay = monitorEventLoopDelay({ resolution: timerMs });
  delay.enable();
  const signal = AbortSignal.any([client.signal, enough.signal]);
  const ended = await runCommand({ ...client, env, signal, secret: values.KEY ?? '' });
  const late = Math.max(0, delay.percentile(90) / 1e6 - timerMs);
  delay.disable();
  const stopped = ended.timedOut || enough.signal.aborted;
  const succeeded = ended.code === 0 && !stopped;
  const mark = `$${names.KEY.at(-1)}`;
  const redaction = createRedaction();
  redaction.add(values.KEY ?? '', mark);
  const clean = (text: string) => terminalText(redaction.apply(text));
  const { revealed } = ended;
  const given = givenBy(values, names);
  const traffic = trafficOf(service.entries, {
    id,
    varied: arrangements.length > 0,
    stopped,
    late,
    printsKey: revealed === undefined ? false : `${clean(revealed).slice(-maxShown)}${mark}`,
    given,
    keys: new Map([[values.KEY ?? '', mark]]),
    first: numbered + 1,
  });
  numbered += service.entries.length;
  const [output, state] = [clean(ended.output), service.state(given)];
  return { ended: { ...ended, output }, succeeded, state, attempts: attempts(), traffic, values };
}

/** Characters of a line of output that has the key. */
const maxShown = 200;

/** The mock is on this machine, so requests must not go through a proxy. */
function withoutProxy({ NO_PROXY, no_proxy }: NodeJS.ProcessEnv): Record<string, string> {
  const all = [NO_PROXY ?? no_proxy, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { NO_PROXY: all, no_proxy: all };
}

type CommandOptions = Pick<ClientOptions, 'command' | 'timeout' | 'signal'> & {
  readonly env: NodeJS.ProcessEnv;
  /** A text that the command should not print. */
  readonly secret?: string;
};

/** The largest number of bytes of output that is kept. */
const maxOutput = 16 * 1024;

/**
 * Runs a command, and leaves no background process of it, which may reach the mock of another run on the same port. Never rejects.
 * @returns how it ended, its last output, and the beginning of the first line, also of what was not kept, that has the secret
 */
export async function runCommand({ command, secret = '', ...options }: CommandOptions) {
  let kept = Buffer.alloc(0);
  let revealed: string | undefined;
  const open = { stdout: '', stderr: '' };
  const ended = await runInGroup(command, {
    ...options,
    onOutput(piece, stream) {
      // A line may come in pieces, with some of the other stream in between.
      const lines = `${open[stream]}${piece}`.split('\n');
      // Not what follows, which may be a part of it.
      revealed ??= lines.find((line) => secret !== '' && line.includes(secret))?.split(secret, 1)[0];
      open[stream] = lines.at(-1)?.slice(-maxOutput) ?? '';
      kept = Buffer.concat([kept, piece]).subarray(-maxOutput);
    },
  });
  const { code = '', message } = ended.error ?? {};
  const problem = ended.error && `${command[0]}: ${notStarted[code] ?? message}`;
  return { ...ended, problem, output: kept.toString(), revealed };
}

/** Why a program cannot be started, by the code of the error. */
const notStarted: Readonly<Record<string, string>> = {
  ENOENT: 'no such program; give the command after --, such as -- npm test',
  EACCES: 'permission denied; is the file executable?',
};
