import { expect, it } from 'vitest';
import { type Ask, Stopped } from '../client/ask.ts';
import type { Bench } from '../experiments/bench.ts';
import type { Script } from '../scripts/script.ts';
import { type RunParts, runScript } from './run-script.ts';

const health: Ask = { operation: 'getHealth' };

it('sends nothing after one of several branches has ended the script, and waits for what is under way before it undoes', async () => {
  const events: string[] = [];
  let reply: () => void = () => {};
  let endPause: () => void = () => {};
  const script = {
    id: 'branches',
    tries: [],
    async run({ scene }: Bench) {
      const later = async () => {
        await scene.sleep(1);
        await scene.send({ ...health, path: '/later' });
      };
      await Promise.all([scene.send({ ...health, path: '/slow' }), later(), scene.send({ ...health, path: '/stop' })]);
    },
  } as unknown as Script;
  const send = async ({ path }: Ask) => {
    events.push(`sent ${path}`);
    if (path === '/stop') throw new Stopped('given up');
    await new Promise<void>((resolve) => {
      reply = resolve;
    });
    events.push(`answered ${path}`);
  };
  const undo = async () => void events.push('undone');
  const running = runScript(script, {
    client: { send },
    blockade: { open: async () => undefined, saw: () => undefined, blocked: () => null },
    ended: () => null,
    guard: { canUndo: () => true },
    hooks: { undo },
    scene: {
      deployment: { tenant: { name: 'acme' } },
      sleep: () =>
        new Promise<void>((resolve) => {
          endPause = resolve;
        }),
    },
  } as unknown as RunParts);
  await new Promise(setImmediate);
  endPause();
  reply();
  expect(await running).toBe('given up');
  expect(events).toEqual(['sent /slow', 'sent /stop', 'answered /slow', 'undone']);
});

it('sends a label that does not exist in place of one that it could not take off again, and says so', async () => {
  const sent: Ask[] = [];
  const spare = '1abe1008-0000-4000-8000-000000000008';
  const facts = {
    operation: 'applySiteLabel',
    caller: 'valid',
    owner: 'ours',
    label: 'spare',
    mutation: null,
  } as const;
  const ask: Ask = { operation: 'applySiteLabel', params: { id: '7', labelId: spare }, facts };
  const script = { id: 'apply', tries: [], run: ({ scene }: Bench) => scene.send(ask) } as unknown as Script;
  const none = async () => undefined;
  await runScript(script, {
    client: { send: async (asked: Ask) => void sent.push(asked) },
    blockade: { open: none, saw: () => undefined, blocked: () => null },
    ended: () => null,
    guard: { canUndo: () => false, before: none, after: () => undefined },
    hooks: { undo: none },
    scene: { deployment: { tenant: { name: 'acme' } }, newId: () => 'made up' },
  } as unknown as RunParts);
  expect(sent).toMatchObject([{ params: { id: '7', labelId: 'made up' }, facts: { label: 'unknown' } }]);
});
