import type { Mock } from '../../../mock/index.ts';
import type { Environment } from '../../client/environment.ts';
import { cleanup } from '../../journal/cleanup.ts';
import { memoryJournal } from '../../journal/write-journal.ts';
import { gather } from '../../run/run.ts';
import { virtualMock } from '../trials/virtual-mock.ts';

/**
 * The state of a mock, without the times of the snapshot and of the last use of keys, which every client changes, and without the
 * revoked keys of a run, which stay in the list of keys, and uploads that nobody registered, which no operation shows.
 */
export async function stateOf(mock: Mock): Promise<Record<string, unknown>> {
  // The bytes of files lie beside them, also of those that are given back.
  const { takenAt: _, content: __, ...snapshot } = await mock.snapshot();
  return JSON.parse(JSON.stringify(snapshot), (name, value) =>
    name === 'lastUsedAt' ? undefined : Array.isArray(value) ? value.filter((item) => !isGivenBack(item)) : value,
  );
}

const isGivenBack = (item: Partial<Record<'name' | 'revoked' | 'fileKey' | 'registered', unknown>> | null) =>
  (item?.revoked === true && /^check-[0-9a-f]{8}$/.test(String(item.name))) ||
  (item?.fileKey !== undefined && item.registered === null);

/** Kills a run after this many requests, the last of which arrives but gets no reply. Then runs cleanup. @returns what differs from the state before */
export async function killedRun(at: number): Promise<string[]> {
  const { mock, environment, target } = await virtualMock({ latency: () => 40, seed: at });
  const before = await stateOf(mock);
  const journal = memoryJournal();
  const { mortal, died } = dyingAfter(at, environment);
  const ended = gather(target, { environment: mortal, journal, kit: 'proof', allowHooks: true }).then(() => undefined);
  await Promise.race([died, ended]);
  await cleanup(target, { environment, journal, allowHooks: true });
  const after = await stateOf(mock);
  return Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** An environment in which the process is killed after this many requests: all of them arrive, and nothing follows. */
function dyingAfter(requests: number, environment: Environment) {
  const died = Promise.withResolvers<void>();
  let left = requests;
  const mortal: Environment = {
    ...environment,
    async send(request, options) {
      left -= 1;
      if (left > 0) return environment.send(request, options);
      if (left === 0)
        environment.send(request, options).then(
          () => died.resolve(),
          () => died.resolve(),
        );
      return new Promise(() => undefined);
    },
    command: (command) => (left > 0 ? environment.command(command) : new Promise(() => undefined)),
  };
  return { mortal, died: died.promise };
}
