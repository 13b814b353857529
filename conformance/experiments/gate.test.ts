import { expect, it } from 'vitest';
import { Bench, RunState, type Scene } from './bench.ts';
import { Gate } from './gate.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

const endless = new Promise<null>(() => {});

it('an experiment waits for what is under way, and keeps the rest back', async () => {
  const gate = new Gate();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const inside = Promise.withResolvers<void>();
  void gate.shared(endless, () => first.promise);
  await settled();
  const alone = gate.exclusive(endless, async () => {
    seen.push('experiment');
    await inside.promise;
    seen.push('ends');
  });
  const later = gate.shared(endless, async () => void seen.push('later'));
  await settled();
  expect(seen).toEqual([]);
  first.resolve();
  await settled();
  expect(seen).toEqual(['experiment']);
  inside.resolve();
  await Promise.all([alone, later]);
  expect(seen).toEqual(['experiment', 'ends', 'later']);
});

it('what a script has under way ends with the script, also in the middle of an experiment', async () => {
  const gate = new Gate();
  const [one, two] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  const seen: string[] = [];
  void gate.shared(one.promise, () => endless);
  void gate.exclusive(two.promise, () => endless);
  const others = [
    gate.shared(endless, async () => void seen.push('goes on')),
    gate.exclusive(endless, async () => void seen.push('alone')),
  ];
  one.resolve(null);
  await settled();
  expect(seen).toEqual([]);
  two.resolve(null);
  await Promise.all(others);
  expect(seen.toSorted()).toEqual(['alone', 'goes on']);
});

it('an experiment of a script that has ended keeps nobody back', async () => {
  const gate = new Gate();
  void gate.exclusive(Promise.resolve(null), () => endless);
  expect(await gate.exclusive(endless, async () => 'alone')).toBe('alone');
});

it('an experiment that fails keeps nobody back', async () => {
  const gate = new Gate();
  const failed = gate.exclusive(endless, () => Promise.reject(new Error('lost')));
  await expect(failed).rejects.toThrow('lost');
  await expect(gate.shared(endless, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
  expect(await gate.exclusive(endless, async () => 'alone')).toBe('alone');
});

it('what an ended script has begun to learn, the next one learns', async () => {
  const state = new RunState();
  const ended = Promise.withResolvers<null>();
  const bench = (over: Promise<null>) => new Bench({ over, state } as Scene);
  const made = new Map<string, Promise<string | null>>();
  const never = endless as Promise<never>;
  void bench(ended.promise).once(made, 'record', () => never);
  const next = bench(never).once(made, 'record', async () => 'learned');
  ended.resolve(null);
  expect(await next).toBe('learned');
});
