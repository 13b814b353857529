import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../../../conformance/history/exchange.ts';
import type { History } from '../../../conformance/history/history.ts';
import { judgeBy, laws } from '../../../conformance/verdict/judge.ts';
import { limitPlanOf, rawOf, samplesOf, simulatedStart } from '../../../load/proof/simulated-raw.ts';
import { judgeRun } from '../../../load/verdict/judge-run.ts';
import { createRawReader, createRawRun } from '../../../load/verdict/recording.ts';
import { loadTarget } from '../../../spec/files/target.ts';
import type { Observation } from '../../../spec/limiter/observation.ts';
import { bucketModel } from '../../../spec/limiter/proof/limiters.ts';

// The limiter has one truth: the runner and the load judge, given the same requests, say the same of it.

const key = 'acme/limits';
const scenario = 'overload';

function sentenceOfLoad(samples: readonly Observation[]): string {
  const run = createRawRun();
  const reader = createRawReader(run, 'raw.json');
  reader.push(rawOf(scenario, key, samples));
  reader.end();
  return judgeRun(run, limitPlanOf(scenario)).sentence;
}

const exchangeOf = ({ sentAt, doneAt, status }: Observation, index: number): Exchange => ({
  n: index + 1,
  script: 'limiter/sustained',
  operation: 'listLabels',
  key,
  credential: 'key',
  params: {},
  method: 'GET',
  url: '/v1/labels',
  requestHeaders: {},
  requestBody: null,
  requestBytes: 0,
  sentAt: simulatedStart + sentAt,
  doneAt: simulatedStart + doneAt,
  status,
  headers: status === 429 ? { 'retry-after': '1' } : {},
  body: status === 429 ? '{"message":"slow down"}' : '{"labels":[]}',
  failure: null,
  paced: false,
});

/** All that the runner's laws of the limiter say, good and bad. */
function wordsOfConformance(samples: readonly Observation[]) {
  const history: History = {
    known: {
      kit: '0.0.0',
      startedAt: new Date(simulatedStart - 60_000).toISOString(),
      target: loadTarget(join(import.meta.dirname, '../../../fixtures/mock.target.yaml')),
      allowLeftovers: false,
    },
    exchanges: samples.map(exchangeOf),
    hooks: [],
    skipped: [],
    exercised: [],
    left: [],
    interrupted: false,
    finishedAt: new Date(simulatedStart + 120_000).toISOString(),
  };
  const rows = laws.filter(({ id }) => id.startsWith('limiter/')).map((law) => judgeBy(law, history));
  const has = (outcome: string) => rows.some((row) => row.outcome === outcome);
  return { verdict: has('fail') ? 'fail' : has('inconclusive') ? 'inconclusive' : 'pass', words: JSON.stringify(rows) };
}

test.each([
  ['the contract', bucketModel(10, 20), 'pass'],
  ['a larger rate', bucketModel(12, 20), 'fail'],
  ['a smaller rate', bucketModel(8, 20), 'inconclusive'],
  ['a smaller burst', bucketModel(10, 10), 'inconclusive'],
  ['a larger burst', bucketModel(10, 60), 'fail'],
] as const)('%s: both judges say the same sentence', (_, model, expected) => {
  const samples = samplesOf(scenario, model);
  const sentence = sentenceOfLoad(samples);
  const { verdict, words } = wordsOfConformance(samples);
  // Too little may be the work of another client, as long as no other key is measured beside it.
  expect(verdict).toBe(expected);
  expect(sentence.includes('keeps the contract')).toBe(expected === 'pass');
  expect(words).toContain(sentence.replace(': keeps the contract', ''));
});
