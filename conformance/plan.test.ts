import { expect, it } from 'vitest';
import { plan, planText } from './plan.ts';
import { sampleChecks } from './proof/sample-checks.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { run } from './run.ts';
import { memoryJournal } from './write-journal.ts';

const { target, environment, mock } = await virtualMock({ latency: () => 50 });
const honest = sampleChecks.filter(({ id }) => !id.startsWith('limits/') && id !== 'context/any-field');

it('lists the very requests that a run sends', async () => {
  const planned = await plan(target, { checks: honest });
  const sent: string[] = [];
  await run(target, {
    checks: honest,
    environment,
    journal: memoryJournal(),
    onExchange: ({ method, url, key, requestBytes, operationId }, check) => {
      const path = operationId === 'storage' ? '(upload URL)' : url.slice(target.baseUrl.length);
      sent.push([check?.id ?? null, method, unnamed(path), key, requestBytes].join(' '));
    },
  });
  const listed = planned.requests.map(({ check, method, path, key, bodyBytes }) =>
    [check, method, unnamed(path), key, bodyBytes].join(' '),
  );
  expect(listed.sort()).toEqual(sent.sort());
  expect(listed.length).toBeGreaterThan(8);
});

/** An id that is drawn anew each time. */
const unnamed = (path: string) => path.replace(/^\/v1\/conversation\/(?!c0000)[^/]+$/, '/v1/conversation/{new}');

it('sends nothing', async () => {
  const before = await mock.snapshot();
  await plan({ ...target, baseUrl: 'http://nobody.invalid' }, { checks: honest, allowLeftovers: true });
  expect(await mock.snapshot()).toEqual(before);
});

it('counts writes, keys and what stays behind', async () => {
  const planned = await plan(target, { checks: honest, allowLeftovers: true });
  expect(planned.writes).toBe(4);
  expect(planned.leftovers).toEqual([{ check: 'upload/leaves-a-file', title: 'registering a file' }]);
  expect(planned.keys).toEqual([
    { key: 'acme/full', requests: 6, peak: 6 },
    { key: '-', requests: 3, peak: 3 },
  ]);
  expect(planned.unplanned).toEqual([]);
});

it('respects the selection', async () => {
  const planned = await plan(target, { checks: honest, readOnly: true, skip: ['upload'] });
  expect(planned.writes).toBe(0);
  expect(planned.requests.map(({ check }) => check)).not.toContain('upload/start');
});

it('keeps to the declared rate, and says so', async () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ ...sampleChecks[4], id: `errors/unknown-${i}` }));
  const planned = await plan(target, { checks: many as typeof sampleChecks });
  expect(planned.keys[0]).toMatchObject({ key: 'acme/full', requests: 31 });
  expect(planned.keys[0]?.peak).toBeLessThanOrEqual(30);
  expect(planned.durationMilliseconds).toBeGreaterThan(1000);
});

it('names what would not run, and what cannot be followed', async () => {
  const [acme, ...others] = target.tenants;
  const poorer = { ...target, tenants: acme ? [{ ...acme, sites: undefined }, ...others] : [] };
  const planned = await plan(poorer, { checks: sampleChecks });
  expect(planned.notRun.map(({ check }) => check)).toEqual(['upload/start', 'isolation/legacy-site']);
  expect(planned.unplanned.map(({ check }) => check)).toEqual(['context/any-field', 'limits/broken']);
});

it('reads as text', async () => {
  const text = planText(await plan(target, { checks: honest }), 3);
  expect(text).toMatch(/^6 checks would send 9 requests to .*, 4 of them/);
  expect(text).toContain('That is more than --budget 3.');
  expect(text).toMatch(
    /\nlabels\/apply\n {2}W PUT {4}\/v1\/conversation\/[-\w]+\/label\/[-\w]+ {2}\[acme\/full]\n {2}W DELETE/,
  );
  expect(text).toContain('W PUT    (upload URL)  [no key, 5 bytes]');
});

it('counts in words that fit one too', async () => {
  const one = await plan(target, { checks: honest, only: ['errors/unknown'] });
  expect(planText({ ...one, requests: one.requests.slice(0, 1) })).toMatch(/^1 check would send 1 request to /);
});
