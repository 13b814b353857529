import { expect, it } from 'vitest';
import { code, escaped, jsonMarkup, prose } from './markup.ts';

const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

it.each([
  [{ a: [1, null, { b: '<b>' }], c: {}, d: [] }],
  [[]],
  ['text'],
  [{ long: Array.from({ length: 50 }, (_, i) => i) }],
])('the text of its elements is the JSON, %j', (value) => {
  expect(JSON.parse(textOf(jsonMarkup(value).markup))).toEqual(value);
});

it('folds long parts, but not what shows what is wrong', () => {
  const value = { labels: Array.from({ length: 50 }, (_, i) => `label-${i}`) };
  const folded = /<details class="json"><summary data-rest="… 50 \]">/;
  expect(jsonMarkup(value).markup).toMatch(folded);
  const marked = jsonMarkup(value, (line) => line.includes('label-7"')).markup;
  expect(marked).not.toMatch(folded);
  expect(marked.match(/<mark>.*?<\/mark>/g)).toEqual([
    '<mark><span class="json-string">&quot;label-7&quot;</span>,</mark>',
  ]);
});

it('folds what has no mark where another part has one', () => {
  const value = { right: [1], wrong: ['label-7'] };
  expect(jsonMarkup(value).markup.match(/ open>/g)).toHaveLength(3);
  expect(jsonMarkup(value, (line) => line.includes('label-7')).markup).toMatch(
    /<details class="json"><summary[^>]*><span class="json-name">&quot;right/,
  );
});

it('what lies between the marks of a list is one line, and what is copied is all of it', () => {
  const value = { labels: Array.from({ length: 9 }, (_, i) => ({ name: `label-${i}` })) };
  const { markup } = jsonMarkup(value, (line) => line.includes('label-5'));
  expect([...markup.matchAll(/data-rest="(… \d more)"/g)].map(([, rest]) => rest)).toEqual(['… 5 more', '… 3 more']);
  expect(JSON.parse(textOf(markup))).toEqual(value);
});

it('shows other text as it is, with the marked lines', () => {
  expect(code('200\na: <b>', (line) => line === '200').markup).toContain(
    '<pre tabindex="0"><code><mark>200</mark>\na: &lt;b&gt;</code></pre>',
  );
});

it('breaks no line of code within a word', () => {
  const line = 'npx partnerkit certify --only lost-reply server-error/getSite --strict -- node c.mjs';
  const { markup } = code(line);
  const whole = [...markup.matchAll(/<span class="option">(.*?)<\/span>/g)].map(([, word]) => word);
  expect(whole).toEqual(['--only', 'lost-reply', 'server-error/getSite', '--strict', '--']);
  expect(textOf(markup)).toContain(line);
});

it('leaves no character that could end a text or an attribute', () => {
  expect(escaped(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
});

it.each([
  ['Ask `a b` with x-api-key.', ['a b', 'x-api-key']],
  ['PUT /v1/site/{id}, GET /v1/labels: 200', ['PUT /v1/site/{id}', 'GET /v1/labels']],
  ['It needs siteFile:write, uploadUrl and Retry-After.', ['siteFile:write', 'uploadUrl', 'Retry-After']],
  ['On .../label/{labelId} and/or /v1/site/{id}.', ['.../label/{labelId}', '/v1/site/{id}']],
  ['A client-site link is well-formed: 3 of 4.', []],
  [
    'Content-Type of JSON: application/json; charset=utf-8 (3 replies), or none',
    ['Content-Type', 'application/json; charset=utf-8'],
  ],
  ['A status has one code, NOT_FOUND for 404 and FORBIDDEN for 403.', ['NOT_FOUND', 'FORBIDDEN']],
])('literals of a sentence are code, %s', (text, literals) => {
  const { markup } = prose(text);
  expect([...markup.matchAll(/<code>(.*?)<\/code>/g)].map(([, each]) => each)).toEqual(literals);
  expect(textOf(markup)).toBe(text.replaceAll('`', ''));
});
