import { expect, it } from 'vitest';
import type { Exchange } from '../history/exchange.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { plan, planText } from './plan.ts';
import { gather } from './run.ts';

const { target, environment, mock } = await virtualMock({ latency: () => 50 });
const rules = new Set(['auth/no-key-is-403', 'labels/apply-adds', 'context/strings'] as const);

const named = JSON.stringify(target);

/** Replaces ids that the target file does not name: random ones, and those that earlier replies show. */
const unnamed = (path: string) =>
  path.replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (id) =>
    named.includes(id) ? id : '{new}',
  );

it('lists every request of a run about existing records', async () => {
  const planned = await plan(target, { rules });
  const { exchanges } = await gather(target, { rules, environment, journal: memoryJournal(), kit: 'test' });
  // Which of the odd spellings, ids and keys a record gets is drawn at random.
  const isOdd = ({ facts }: Exchange) =>
    facts !== undefined &&
    (facts.mutation !== null ||
      facts.caller !== 'valid' ||
      !['ours', null].includes(facts.owner) ||
      !['spare', null].includes(facts.label));
  // What undoes a request has no facts.
  const plain = exchanges.filter((one) => one.facts !== undefined && !isOdd(one));
  const sent = new Set(plain.map(({ method, url }) => `${method} ${unnamed(url.slice(target.baseUrl.length))}`));
  const listed = planned.requests.filter(({ path }) => path !== '(upload URL)');
  const known = [...sent].filter((one) => !/nowhere|\{new\}/.test(one));
  const unlisted = known.filter((one) => !listed.some(({ method, path }) => `${method} ${unnamed(path)}` === one));
  expect(unlisted).toEqual([]);
  expect(listed.length).toBeGreaterThan(40);
  const odd = new Set(exchanges.filter(isOdd).map(({ script }) => script));
  const inPlan = new Set(planned.requests.map(({ script }) => script));
  expect([...odd].filter((one) => !inPlan.has(one) && !one.startsWith('again/'))).toEqual([]);
});

it('sends nothing', async () => {
  const before = await mock.snapshot();
  await plan({ ...target, baseUrl: 'http://nobody.invalid' }, { allowLeftovers: true });
  const { takenAt: _, ...after } = await mock.snapshot();
  const { takenAt: __, ...same } = before;
  expect(after).toEqual(same);
});

it('counts writes and requests per key, and names what stays behind', async () => {
  const planned = await plan(target, { allowLeftovers: true });
  expect(planned.writes).toBeGreaterThan(50);
  expect(planned.leftovers.length).toBeGreaterThan(0);
  expect(planned.records.map(({ record }) => record)).toContain('acme site ovaid-517e0001-0000-4000-8000-000000000001');
  expect(planned.afterSurprises).toBeGreaterThan(0);
});

it('respects the selection', async () => {
  const planned = await plan(target, { rules, readOnly: true });
  expect(planned.requests.filter(({ script, method }) => method === 'PUT' && !script.startsWith('preflight'))).toEqual(
    [],
  );
});

it('names what would not run', async () => {
  const [acme, ...others] = target.tenants;
  const { sites: _, ...poorer } = acme ?? { name: '', keys: [] };
  const planned = await plan({ ...target, tenants: [poorer, ...others] });
  expect(planned.notRun.map(({ why }) => why).join()).toContain('tenants[0].sites.');
});

it('reads as text', async () => {
  const planned = await plan(target, { rules });
  const text = planText(planned);
  expect(text).toMatch(/^\d+ scripts would send \d+ requests to .*, \d+ of them/);
  expect(text).toMatch(/\nand up to \d+ more after surprises, in about \d+ s/);
  expect(text).toMatch(/\n +\d+ +\d+ {2}acme conversation /);
  expect(text).toMatch(/\n {2}W PUT {4}\/v1\/conversation\/[-\w]+\/label\/[-\w]+ {2}\[acme\/full]\n/);
});
