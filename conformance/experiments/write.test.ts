import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { Request } from '../contract/request.ts';
import type { Exchange, Trial } from '../history/exchange.ts';
import { deploymentOf } from '../target/deployment.ts';
import { holdersOf } from '../target/records.ts';
import { type Bench, RunState } from './bench.ts';
import { RecordModel } from './model.ts';
import { RecordUnderTest } from './record.ts';
import { write } from './write.ts';

const spare = { id: '1abe1008-0000-4000-8000-000000000008', name: 'spare' };
const deployment = deploymentOf(
  parseTarget(
    {
      baseUrl: 'http://127.0.0.1',
      tenants: [
        {
          ...{ name: 'acme', sites: { current: '10042' }, spareLabel: spare },
          keys: [{ name: 'site-write', secret: 'acme-secret', scopes: ['site:write'] }],
        },
      ],
    },
    {},
    't',
  ),
);

/** A site that starts without its spare label, and how writes on it are answered. @returns what trials of writes sent */
async function written(act: 'apply' | 'remove', statusOf: (act: string, isOn: boolean) => number) {
  const [known] = holdersOf(deployment.tenant);
  if (known === undefined) throw new Error('no site');
  const record = new RecordUnderTest(known, deployment.tenant);
  const view = { at: ['labels'], pick: ['id'], tokens: new Map([[spare.id, spare.id]]) };
  const views = new Map(
    (['applySiteLabel', 'removeSiteLabel'] as const).map((operation) => [operation, view] as const),
  );
  record.model = new RecordModel({ views, foreign: new Map([[view, new Set()]]) });
  let [isOn, writes] = [false, 0];
  const tried: Exchange[] = [];
  const bench = {
    ...{ state: new RunState(), deployment },
    scene: {
      ...{ now: () => 0, planning: false, random: () => 0 },
      exposures: { writesTo: () => writes, of: () => ({ changes: 0 }) },
    },
    async sleep() {},
    async pause() {},
    exclusive: (work: (alone: Bench) => unknown) => work(bench),
    async send({ operation, label, place, successRule }: Request, { step, trial }: { step?: object; trial?: Trial }) {
      const status = statusOf(operation.startsWith('apply') ? 'apply' : 'remove', isOn);
      if (status === 200) isOn = operation.startsWith('apply');
      writes++;
      const facts = { operation, caller: 'valid', owner: 'ours', label: 'spare', mutation: null, successRule };
      const body = JSON.stringify(status === 200 ? { siteId: '10042', labels: isOn ? [spare] : [] } : {});
      const params = { ...place.params, labelId: label?.id ?? '' };
      const sent = { ...{ operation, params, key: 'acme/site-write', status, body, facts, step, headers: {} } };
      if (trial) tried.push({ ...sent, trial } as never);
      return sent;
    },
  } as unknown as Bench;
  await write(bench, record, act, spare.id);
  return tried.map(({ trial, operation, status }) => `${trial?.arm} ${operation} ${status}`);
}

it('beside a refused removal of what is not there, the control takes a label that is there: no read shows the record', async () => {
  const tried = await written('remove', (act, isOn) => (act === 'remove' && !isOn ? 404 : 200));
  expect([...new Set(tried)]).toEqual(['control applySiteLabel 200', 'script removeSiteLabel 404']);
});

it('tries nothing in a state that no reply shows, as while all writes fail', async () => {
  expect(await written('remove', () => 500)).toEqual([]);
});
