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
