import { expect, test } from 'vitest';
import { rules } from '../../../spec/rules.ts';
import { honestOnes, isOfLimiter, serve, wrongOnes } from './serve.ts';

test('the sample has a hundred defects of every rule that a mock can break, and honest deployments', () => {
  expect([new Set(wrongOnes).size, new Set(honestOnes).size]).toEqual([100, 33]);
  const known = new Set<string>(rules.map(({ id }) => id));
  expect(wrongOnes.every(({ rule }) => known.has(rule))).toBe(true);
  expect(new Set(wrongOnes.map(({ rule }) => rule)).size).toBeGreaterThan(70);
});

test('a deployment of the sample is wrong over HTTP, and the right one is not', { timeout: 60_000 }, async () => {
  const one = wrongOnes.find(({ id }) => id === 'service/getHealth-with-status-418') ?? null;
  const statusOf = async (deployment: typeof one) => {
    await using served = await serve(deployment, deployment !== null && isOfLimiter(deployment));
    const { status } = await fetch(`${served.url}/v1/health`, { headers: { 'x-api-key': served.key } });
    expect(served.requests()).toBe(1);
    return status;
  };
  expect(await statusOf(one)).toBe(418);
  expect(await statusOf(null)).toBe(200);
});
