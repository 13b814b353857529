import { expect, it } from 'vitest';
import { Bench, RunState, type Scene } from './bench.ts';
import { Gate } from './gate.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('an experiment waits for what is under way, and keeps the rest back', async () => {
  const gate = new Gate();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const inside = Promise.withResolvers<void>();
  void gate.shared({}, () => first.promise);
  await settled();
  const alone = gate.exclusive({}, async () => {
    seen.push('experiment');
    await inside.promise;
    seen.push('ends');
  });
  const later = gate.shared({}, async () => void seen.push('later'));
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
  const [one, two] = [{}, {}];
  const never = new Promise<void>(() => {});
  void gate.shared(one, () => never);
  void gate.exclusive(two, () => never);
  await settled();
  gate.leave(one);
  await settled();
  gate.leave(two);
  expect(await gate.shared({}, async () => 'goes on')).toBe('goes on');
  expect(await gate.exclusive({}, async () => 'alone')).toBe('alone');
});

it('nothing that an ended script still asks for is done, or others would wait for it', async () => {
  const gate = new Gate();
  const [one, seen] = [{}, [] as string[]];
  gate.leave(one);
  void gate.shared(one, async () => void seen.push('shared'));
  void gate.exclusive(one, async () => void seen.push('exclusive'));
  expect(await gate.exclusive({}, async () => 'alone')).toBe('alone');
  expect(seen).toEqual([]);
});

it('what an ended script has begun to learn, the next one learns', async () => {
  const state = new RunState();
  const ended = Promise.withResolvers<null>();
  const bench = (over: Promise<null>) => new Bench({ over, state } as Scene);
  const made = new Map<string, Promise<string | null>>();
  const never = new Promise<never>(() => {});
  void bench(ended.promise).once(made, 'record', () => never);
  const next = bench(never).once(made, 'record', async () => 'learned');
  ended.resolve(null);
  expect(await next).toBe('learned');
});
