import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

interface Operation {
  readonly summary: string;
  readonly description: string;
}
const openapi = parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));
const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const inOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

it('the page lists exactly the routes of the control API, with their summaries', () => {
  const said = [...page.matchAll(/^\| `([A-Z]+ \/_mock\S*)` +\| (.*?) +\|$/gm)].map(([, route, text]) => [route, text]);
  const routes = Object.entries<Record<string, Operation>>(openapi.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map(([method, { summary, description }]) => [
        `${method.toUpperCase()} /_mock${path}`,
        inOneLine(`${summary}. ${description}`),
      ]),
  );
  expect(routes.length).toBeGreaterThan(40);
  expect(said.sort()).toEqual(routes.sort());
});
