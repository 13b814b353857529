/**
 * Writes `mock/wrong/generated/shown.json`: how a client sees each way of being wrong. The runner finds it in virtual time, and what it found is sent again to a
 * new mock, beside a right one. `npm run wrong:show`
 */
import { writeFileSync } from 'node:fs';
import { createMock, type Wrong } from '../../mock/in-process.ts';
import { wholeBody } from '../../mock/message.ts';
import { defects } from '../../mock/wrong/defects/index.ts';
import { planted } from '../../mock/wrong/planted.ts';
import { formOf, type Shown, type ShownRequest } from '../../mock/wrong/shown.ts';
import type { Defect } from '../../mock/wrong/tampering/defect.ts';
import { wrongWays } from '../../mock/wrong/wrong.ts';
import { readYamlFile } from '../../spec/files/read-file.ts';
import { parseTarget } from '../../spec/files/target.ts';
import type { Exchange } from '../history/exchange.ts';
import { failureScript } from '../verdict/failure-script.ts';
import { judgeHistory } from '../verdict/judge.ts';
import { notSeen } from './not-seen.ts';
import { tryDefect } from './trials/trial.ts';

const file = new URL('../../fixtures/mock.target.yaml', import.meta.url).pathname;
/** The texts that stand for secrets in a history. */
const secrets = new Map<string, string>(
  parseTarget(readYamlFile(file), {}, file).tenants.flatMap(({ name, keys }) =>
    keys.map((key) => [`$${`${name}_${key.name}_KEY`.toUpperCase().replaceAll('-', '_')}`, key.secret] as const),
  ),
);

const withSecrets = (text: string) =>
  text
    .replace(/^Basic (\$[A-Z\d_]+_KEY)\S*$/, (_, mark) => `Basic ${btoa(`${secrets.get(mark)}:`)}`)
    .replace(/\$[A-Z\d_]+_KEY\b/g, (mark) => secrets.get(mark) ?? mark);

function requestOf({ method, url, requestHeaders, requestBody }: Exchange): ShownRequest {
  const headers = Object.entries(requestHeaders).map(([name, value]) => [name, withSecrets(value)] as const);
  return {
    method,
    path: url.replace(/^https?:\/\/[^/]+/, ''),
    headers: Object.fromEntries(headers.filter(([name]) => name !== 'accept')),
    ...(requestBody !== null && { body: requestBody }),
  };
}

async function shown(defect: Defect): Promise<Shown> {
  const rules = new Set([defect.rule]);
  // Most ways are found by the scripts of their rule. The others need a whole run.
  for (const chosen of [{ rules }, {}]) {
    const { history } = await tryDefect(defect, chosen);
    const results = judgeHistory(history);
    const law = results.find(({ rule, finding }) => rule === defect.rule && finding.breaches.length > 0);
    const [breach] = (law ?? results.find(({ outcome }) => outcome === 'fail'))?.finding.breaches ?? [];
    if (breach === undefined) continue;
    const { exchange, expected, observed } = breach;
    const script = failureScript(breach, history).requests.filter(({ operation }) => operation !== 'storage');
    const requests = await shortest(defect, script.map(requestOf), `${expected} ${observed}`);
    const { method, path } = requestOf(exchange);
    // No name is known of a key that is nobody's.
    const unnamed = exchange.requestHeaders['x-api-key'] ? 'with an unknown key' : 'without a key';
    const by = exchange.key === null ? unnamed : `with the key ${exchange.key}`;
    const words = expected === 'another reply' ? `got ${exchange.status}` : `expected ${expected}, got ${observed}`;
    // The signature of an upload URL says nothing.
    return { sees: `${method} ${path.replace(/\?X-Amz-.*/, '')} ${by}: ${words}`.replaceAll('\n', ' '), requests };
  }
  const [why] = Object.entries(notSeen).find(([, ids]) => ids.includes(defect.id)) ?? [];
  return { sees: null, missed: why ?? 'only one run in several shows it', requests: [] };
}

/** As few of these requests as show it, each perhaps several times, if possible with every one that the words name; none where not even all do. */
async function shortest(
  defect: Defect,
  script: readonly ShownRequest[],
  words: string,
): Promise<readonly ShownRequest[]> {
  const isNamed = ({ path }: ShownRequest) => (path.match(uuids) ?? []).some((id) => words.includes(id));
  const froms = script.map((_, from) => from).reverse();
  const first = script.findIndex(isNamed);
  const isWhole = (from: number) => first < 0 || from <= first;
  for (const times of [1, 2, 3, 30])
    for (const from of [...froms.filter(isWhole), ...froms.filter((from) => !isWhole(from))]) {
      const requests = script.slice(from).map((one) => (times === 1 ? one : { ...one, times }));
      const [right, again, wrong] = [
        await lastReply(requests),
        await lastReply(requests),
        await lastReply(requests, planted(defect)),
      ];
      if (right === again && wrong !== right) return requests;
    }
  return [];
}

const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Sends the requests to a new mock, one after the other. @returns the form of the last reply */
async function lastReply(requests: readonly ShownRequest[], wrong?: Wrong): Promise<string> {
  await using mock = await createMock({ journal: false, onError: () => {}, ...(wrong && { wrong }) });
  let last = '';
  for (const { method, path, headers, body, times = 1 } of requests)
    for (let i = 0; i < times; i++) {
      const bytes = body === undefined ? null : new TextEncoder().encode(body);
      const length = bytes && { 'content-length': String(bytes.length) };
      const sent = { host: '127.0.0.1', ...headers, ...length };
      const asked = { method, url: path, origin: 'http://127.0.0.1', headers: sent, body: bytes && wholeBody(bytes) };
      const reply = await mock.handle(asked);
      last = reply.broken ?? formOf(reply.status, Object.entries(reply.headers), reply.body);
    }
  return last;
}

const all: Record<string, Shown> = {};
for (const [index, { id }] of wrongWays.entries()) {
  const defect = defects.find((one) => one.id === id) as Defect;
  all[id] = await shown(defect);
  if (index % 50 === 49) process.stderr.write(`${index + 1} of ${wrongWays.length}\n`);
}
writeFileSync(new URL('../../mock/wrong/generated/shown.json', import.meta.url), `${JSON.stringify(all, null, 1)}\n`);
const inCurl = Object.values(all).filter(({ requests }) => requests.length > 0).length;
process.stdout.write(`${inCurl} of ${wrongWays.length} are seen in curl, the others in a run\n`);
