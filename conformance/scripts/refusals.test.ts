import { expect, it } from 'vitest';
import { readYamlFile } from '../../spec/files/read-file.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from '../run/run.ts';
import { judgeBy, lawOf } from '../verdict/judge.ts';

/** A site whose id ends as an odd one does, and a client and a linked site that both tenants have. */
const renamed = <T>(of: T): T =>
  JSON.parse(
    JSON.stringify(of)
      .replaceAll('"10042"', '"10042%"')
      .replace(/ovcid-c11e0001-0000-4000-8000-000000000[01]01/g, 'ovcid-shared')
      .replace(/ovaid-517e0001-0000-4000-8000-000000000[01]01/g, 'ovaid-shared'),
  );

it('asks for no record of its own in place of one that is another tenant’s or nobody’s', async () => {
  const seeds = ['acme', 'globex'].map((name) =>
    renamed(readYamlFile(new URL(`../../fixtures/${name}.yaml`, import.meta.url).pathname)),
  );
  const { environment, target } = await virtualMock({ seeds: seeds as never, latency: () => 40 });
  const [ours, ...others] = target.tenants;
  const [client, site] = ['ovcid-c11e0002', 'ovaid-517e0002'].map((id) => `${id}-0000-4000-8000-000000000002`);
  const tenants = [{ ...ours, otherClientSite: { client, site } }, ...others];
  const rule = 'isolation/writes-stay-in-tenant';
  const options = { environment, journal: memoryJournal(), kit: 'test', rules: new Set([rule] as const) };
  const history = await gather(renamed({ ...target, tenants }) as typeof target, options);
  expect(judgeBy(lawOf(rule), history).outcome).toBe('pass');
  const odd = history.exchanges.filter(({ facts }) => facts?.owner === 'malformed' && facts.label === 'spare');
  expect(odd.filter(({ params }) => params.id === '10042%')).toEqual([]);
  expect(odd.some(({ params }) => params.id === '10042_')).toBe(true);
  const crossed = history.exchanges.filter(({ facts, params }) => facts?.owner === 'theirs' && params.clientId);
  const own = JSON.stringify(renamed([ours?.clientSite, client, site]));
  const isOwn = ({ key, params: { clientId, siteId } }: (typeof crossed)[number]) =>
    key?.startsWith('acme/') && own.includes(`"${clientId}"`) && own.includes(`"${siteId}"`);
  expect(crossed.filter(isOwn)).toEqual([]);
});
