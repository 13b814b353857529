/** Programs that judge deployments, each set up as its own pages recommend. */
import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../../../conformance/index.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { packageVersion } from '../../../spec/package-facts.ts';
import { freePort } from '../../../spec/proof/processes.ts';
import { fromNpm, fromPip, root, run } from '../../release/programs.ts';
import type { Served } from './serve.ts';

/** What a tool says is wrong. The same fault gets the same words in each run. */
export interface Complaint {
  /** `PUT /v1/site/{id}/label/{labelId}`, or another name of a request. */
  readonly at: string;
  readonly what: string;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** Whether it knows how to wait for a limiter. Others meet none, except in the defects of limiters. */
  readonly waits?: true;
  judge(served: Served, seed: number): Promise<readonly Complaint[]>;
}

/** Runs a program to its end. @returns what it prints */
const ran = (
  { folder }: Pick<Served, 'folder'>,
  program: string,
  args: readonly string[],
  more: Parameters<typeof run>[2] = {},
) => run(program, args, { cwd: folder, codes: [0, 1], ...more });

/** A tool from npm. @param file what runs of its packages, of which the first has its version */
const ofNpm = (
  name: string,
  packages: readonly [string, ...string[]],
  file: string,
  judge: (served: Served, program: string) => Promise<readonly Complaint[]>,
): Tool => ({
  name,
  version: packages[0].split('@').at(-1) ?? '',
  judge: async (served) =>
    judge(served, join(await fromNpm(name.toLowerCase().split(/\W/)[0] ?? '', ...packages), file)),
});

const ours: Tool = {
  name: 'partnerkit conformance',
  version: packageVersion(),
  waits: true,
  async judge(served) {
    const { url, target, folder } = served;
    const packaged = readYamlFile(join(root, 'fixtures/mock.target.yaml')) as object;
    // A second is enough for what settles later.
    const described = { ...packaged, baseUrl: url, operations: target.operations, settleMilliseconds: 1000 };
    const [file, report] = [join(folder, 'ours.yaml'), join(folder, 'ours.json')];
    writeFileSync(file, JSON.stringify(described));
    const allowed = ['--allow-leftovers', '--allow-risk', '--allow-hooks', '--slow'];
    const args = ['conformance', 'run', '--target', file, ...allowed, '--report', `json=${report}`];
    try {
      const program = join(root, 'bin/partnerkit.ts');
      await ran(served, process.execPath, [program, ...args], { codes: [0, 1, 3], minutes: 30 });
    } catch (error) {
      // A run that finds the target file untrue ends there, and says in which reply.
      const [, untrue] = /the target file does not describe the deployment:\s+(.*)/.exec(String(error)) ?? [];
      if (untrue === undefined) throw error;
      return [{ at: /(?:GET|PUT|POST|DELETE) \S+/.exec(untrue)?.[0] ?? '', what: untrue }];
    }
    return readReport(report).rows.flatMap(({ id, outcome, rule }) =>
      // A broken should is a warning, and documented too.
      (outcome === 'fail' || outcome === 'warn') && rule.provenance === 'documented' ? [{ at: id, what: id }] : [],
    );
  },
};

/** As in the JSON report of Schemathesis. Links between operations share one name, `Stateful tests`. */
interface Failure {
  readonly code: string;
  readonly title: string;
  readonly operations: readonly string[];
}

const schemathesisVersion = '4.32.5';

/** @param examples how many it makes for each operation; 100 is its default */
export const schemathesis = (examples: number): Tool => ({
  name: 'Schemathesis',
  version: schemathesisVersion,
  async judge(served, seed) {
    const { url, key, document, folder } = served;
    const programs = await fromPip('schemathesis', `schemathesis==${schemathesisVersion}`);
    const report = join(folder, 'report.json');
    const options = [
      ...['--url', url, '--header', `x-api-key: ${key}`, '--continue-on-failure', '--checks', 'all'],
      ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', String(examples), '--seed', String(seed)],
      ...['--generation-database', 'none', '--report', 'json', '--report-json-path', report],
    ];
    await ran(served, join(programs, 'schemathesis'), ['run', document, ...options]);
    const { failures } = JSON.parse(readFileSync(report, 'utf8'));
    return failures.flatMap(({ code, title, operations }: Failure) =>
      operations.map((at) => ({ at, what: `${code} ${title}` })),
    );
  },
});

const specmatic = ofNpm('Specmatic', ['specmatic@2.55.1'], 'specmatic/specmatic.jar', async (served, jar) => {
  const env = { ...process.env, apiKey: served.key, SPECMATIC_DISABLE_TELEMETRY: 'true' };
  const args = ['-jar', jar, 'test', served.document, `--testBaseURL=${served.url}`];
  const said = await ran(served, 'java', args, { env });
  if (!/^Tests run: [1-9]/m.test(said)) throw new Error(`it ran no test:\n${said.slice(-2_000)}`);
  const [, scenarios = ''] = said.split('\nUnsuccessful Scenarios:\n');
  return scenarios
    .split(/^ {2}"/m)
    .slice(1)
    .map((text) => {
      const [, at = text.slice(0, 80)] = /Scenario: (\w+ \/\S+)/.exec(text) ?? [];
      const [, rest = ''] = text.split(/^ *>> /m);
      return { at: at.replaceAll(/\((\w+):\w+\)/g, '{$1}'), what: rest };
    });
});

// Portman does not name tslib, which it needs, among its dependencies.
const portman = ofNpm(
  'Portman',
  ['@apideck/portman@1.33.0', 'tslib@2.8.1'],
  '.bin/portman',
  async (served, program) => {
    const { url, key, document, folder } = served;
    writeFileSync(join(folder, '.env'), `PORTMAN_API_KEY=${key}\n`);
    const args = ['-l', document, '-b', url, '-o', join(folder, 'portman-collection.json'), '--runNewman'];
    const said = await ran(served, program, args);
    if (!said.includes('Run Newman against')) throw new Error(`it ran nothing:\n${said.slice(-2_000)}`);
    const [, failed = ''] = /Newman run failed with:\s*(.*)/.exec(said) ?? [];
    // `[POST]::/v1/site/:id/file - Status code is 2xx`
    return [...failed.matchAll(/\[(\w+)\]::(\S+) - ([^[]*?)(?=, \[|$)/g)].map(([, method, path, what = '']) => ({
      at: `${method} ${path}`,
      what,
    }));
  },
);

/** What newman finds in a collection: the assertions that failed, and the requests without a reply. */
const newman = ofNpm('newman', ['newman@6.2.2'], '.bin/newman', async (served, program) => {
  const report = join(served.folder, 'newman.json');
  await ran(served, program, ['run', served.collection, '--reporters', 'json', '--reporter-json-export', report]);
  // biome-ignore lint/suspicious/noExplicitAny: the report of another program
  return JSON.parse(readFileSync(report, 'utf8')).run.failures.map(({ source, error }: any) => ({
    at: `${source.request?.method} /${(source.request?.url?.path ?? []).join('/')}`,
    what: `${error.test ?? error.name}: ${error.message}`,
  }));
});

/** Only successes are asked for, as Dredd does by itself with older documents. Their media type may name its charset. */
const hooks = `const hooks = require('hooks');
hooks.beforeEach((transaction) => {
  if (!/^2/.test(transaction.expected.statusCode)) transaction.skip = true;
  delete transaction.expected.headers['Content-Type'];
});
`;

const dredd = ofNpm('Dredd', ['dredd@14.1.0'], '.bin/dredd', async (served, program) => {
  const { url, key, document, folder } = served;
  // It reads OpenAPI 3.0.
  const [file, report, hookFile] = [join(folder, 'dredd.json'), join(folder, 'dredd.md'), join(folder, 'hooks.js')];
  const converter = await fromNpm('openapi-down-convert', '@apiture/openapi-down-convert@0.14.2');
  await run(join(converter, '.bin/openapi-down-convert'), ['--input', document, '--output', file]);
  const described = JSON.parse(readFileSync(file, 'utf8'));
  // It reads one example of a parameter and no named ones.
  for (const parameter of Object.values<Record<string, unknown>>(described.components.parameters)) {
    const [example] = Object.values((parameter.examples ?? {}) as Record<string, { value: unknown }>);
    parameter.example = example?.value;
    parameter.examples = undefined;
  }
  writeFileSync(file, JSON.stringify(described));
  writeFileSync(hookFile, hooks);
  const args = [file, url, '--header', `x-api-key: ${key}`, '--hookfiles', hookFile];
  await ran(served, program, [...args, '--reporter', 'markdown', '--output', report, '--loglevel', 'error']);
  const [, ...failed] = readFileSync(report, 'utf8').split(/^## (?=Fail)/m);
  return failed.map((text) => {
    const [, at = ''] = /^Fail: (.*)$/m.exec(text) ?? [];
    const [, what = ''] = /### Message\s+```\s*([\s\S]*?)```/.exec(text) ?? [];
    return { at: at.replace(/ \(\d+\)/, ''), what };
  });
});

const stepci = ofNpm('Step CI', ['stepci@2.8.2'], '.bin/stepci', async (served, program) => {
  const { url, key, target, folder } = served;
  const [tenant] = target.tenants;
  const ids = {
    conversation: tenant?.conversations?.open,
    site: tenant?.sites?.current,
    client: tenant?.clientSite?.client,
    label: tenant?.spareLabel?.id,
  };
  const file = join(folder, 'smoke.yaml');
  copyFileSync(new URL('smoke.stepci.yaml', import.meta.url), file);
  const given = Object.entries({ url, key, ...ids }).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  // It would report each run to its makers.
  const env = { ...process.env, STEPCI_DISABLE_ANALYTICS: '1' };
  const said = await ran(served, program, ['run', file, ...given], { env, codes: [...Array(30).keys()] });
  if (!said.includes('Workflow')) throw new Error(`it ran nothing:\n${said.slice(-2_000)}`);
  const [, ...failed] = said.split(/^● /m);
  return failed.flatMap((text) => {
    const [, method, address] = /^(\w+) (https?:\S+) HTTP/m.exec(text) ?? [];
    const what = [...text.matchAll(/^✕ (.*)$/gm)].map(([, check]) => check).join(', ');
    const step = text.split('\n')[0] ?? '';
    const path = address?.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*$|(?<=^\/storage\/).*$/, '');
    return text.includes('Step was skipped') ? [] : [{ at: path ? `${method} ${path}` : step, what: what || step }];
  });
});

const prism = ofNpm(
  'Prism, as a validating proxy',
  ['@stoplight/prism-cli@5.16.0'],
  '@stoplight/prism-cli/dist/index.js',
  async (served, script) => {
    const { url, document, folder } = served;
    const port = await freePort();
    const args = [script, 'proxy', document, url, '--errors', '--port', String(port)];
    const proxy = spawn(process.execPath, args, { cwd: folder });
    try {
      await new Promise<void>((resolve, reject) => {
        proxy.stdout.on('data', (bytes) => String(bytes).includes('Prism is listening') && resolve());
        proxy.once('exit', (code) => reject(new Error(`prism ended with ${code}`)));
      });
      const collection = join(folder, 'proxied.json');
      const through = readFileSync(served.collection, 'utf8').replaceAll(url, `http://127.0.0.1:${port}`);
      writeFileSync(collection, through);
      return await newman.judge({ ...served, collection }, 0);
    } finally {
      proxy.kill();
    }
  },
);

/** All of them, as the page lists them. */
export const tools: readonly Tool[] = [ours, schemathesis(20), specmatic, portman, newman, dredd, stepci, prism];
