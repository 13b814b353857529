import { expect, it } from 'vitest';
import { answer, asking, rewrite } from '../proof/around.ts';
import { finders, oddities, runVirtually } from '../proof/run-virtually.ts';
import { versioning } from './versioning.ts';

const withoutPrefix = (path: RegExp) =>
  rewrite((request) => (path.test(request.url) ? { ...request, url: `/v1${request.url}` } : request));

it('passes on the mock', async () => {
  expect(oddities(await runVirtually(versioning))).toEqual([]);
});

it.each([
  ['context', /^\/conversation/],
  ['labels-list', /^\/labels/],
  ['upload-start', /^\/site/],
])('fails where %s is served without /v1 too', async (slug, path) => {
  const record = await runVirtually(versioning, { mock: { around: withoutPrefix(path) } });
  expect(finders(record)).toEqual([`versioning/v1-prefix/${slug}`]);
});

it('fails a path that the target file gives without /v1', async () => {
  const record = await runVirtually(versioning, {
    mock: { around: withoutPrefix(/^\/labels/) },
    describe: (target) => ({
      ...target,
      operations: { listLabels: { path: '/labels' }, getSite: { path: '/sites/{id}' } },
    }),
  });
  expect(finders(record)).toEqual(['versioning/v1-prefix/labels-list', 'versioning/v1-prefix/every-operation']);
  expect(record.results.at(-1)?.observed).toContain('listLabels: /labels, getSite: /sites/{id}');
});

it.each([
  ['a web page', '<!doctype html><p>Hello</p>'],
  ['another API', '{"hello":"world"}'],
  ['a list of nothing', '[]'],
])('lets %s be served beside the API', async (_, body) => {
  const around = answer(asking(/^\w+ \/(?!v1)/), () => ({ status: 200, headers: {}, body }));
  expect(oddities(await runVirtually(versioning, { mock: { around } }))).toEqual([]);
});

it('cannot tell where the operation does not answer under its own path', async () => {
  const around = answer(asking(/^GET \/v1\/labels/), (reply) => ({ ...reply, status: 500 }));
  const { results } = await runVirtually(versioning, { mock: { around } });
  expect(results.find(({ id }) => id === 'versioning/v1-prefix/labels-list')?.outcome).toBe('inconclusive');
});
