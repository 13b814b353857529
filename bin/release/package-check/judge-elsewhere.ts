import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { findChromium, sharedChromium } from '../../../mock/proof/chromium.ts';
import { onLoopback } from '../../../spec/proof/on-loopback.ts';
import { blocksOf } from '../documentation/pages.ts';
import { runCommand } from './command.ts';

interface Where {
  /** A project in which the package is installed. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly k6: string | undefined;
  /** A mock, and keys of it whose buckets are full: each place empties one. */
  readonly url: string;
  readonly keys: readonly [inK6: string, inBrowser: string];
}

const expected = ': keeps the contract';

/**
 * `partnerkit/rate-limit` outside Node, over the files as they were packed: the page's own example in k6, and a web page without a bundler.
 * @returns what was tried, for people
 */
export async function judgeElsewhere({ project, env, k6, url, keys: [inK6, inBrowser] }: Where): Promise<string> {
  if (k6 !== undefined) {
    writeFileSync(join(project, 'burst.js'), exampleForK6());
    const variables = ['-e', `URL=${url}/v1/labels`, '-e', `KEY=${inK6}`];
    const log = join(project, 'k6.log');
    const args = ['run', '-q', '--no-usage-report', '--log-output', `file=${log}`, ...variables, 'burst.js'];
    await runCommand(k6, args, { cwd: project, env });
    mustSay(readFileSync(log, 'utf8'), 'k6');
  }
  if (findChromium() === null) return 'NOT tried in a browser, none is here';
  const dist = join(project, 'node_modules/partnerkit/dist');
  const server = createServer(({ url: path = '' }, response) => {
    const script = path.endsWith('.js');
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.end(script ? readFileSync(join(dist, path)) : '<!doctype html><title>a page</title>');
  });
  const address = await onLoopback(server);
  const browser = await sharedChromium();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    mustSay(String(await page.evaluate(inPage(`${url}/v1/labels`, inBrowser))), 'the browser');
  } finally {
    await browser.close();
    server.close();
  }
  return k6 === undefined ? 'right in Chromium (no k6 here)' : 'right in Chromium and in k6';
}

function mustSay(said: string, where: string): void {
  if (!said.includes(expected)) throw new Error(`partnerkit/rate-limit in ${where}: ${said}; expected: ${expected}`);
}

function exampleForK6(): string {
  const file = 'spec/limiter/README.md';
  const text = readFileSync(resolve(import.meta.dirname, '../../..', file), 'utf8');
  const [example, ...others] = blocksOf({ file, text }, 'js').filter((block) => block.includes("'k6/http'"));
  if (example === undefined || others.length > 0) throw new Error(`${file}: its example for k6 was not found`);
  return example;
}

const inPage = (url: string, key: string) => `(async () => {
  const { describeJudgement, judge } = await import('/spec/limiter/rate-limit.js');
  const observe = async () => {
    const sentAt = performance.now();
    const { status } = await fetch('${url}', { headers: { 'x-api-key': '${key}' } });
    return { sentAt, doneAt: performance.now(), status };
  };
  const observations = await Promise.all(Array.from({ length: 60 }, observe));
  const mustShow = { smallerBurst: 0.25, largerBurst: 0.25 };
  return describeJudgement(judge({ perSecond: 10, burst: 20 }, observations, { mustShow }));
})()`;
