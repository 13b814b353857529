import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, sharedChromium } from '../../mock/proof/chromium.ts';
import { rulesFor } from '../../spec/rules.ts';
import { excerpt } from './findings.ts';
import { clientDefects } from './proof/defects.ts';
import { openToolbox } from './proof/languages.ts';
import { finderOf, tryClient } from './proof/try-client.ts';
import { clientHtmlReport } from './report/html.ts';
import { clientTextReport } from './report/text.ts';
import { runCommand } from './run-client.ts';
import { chosenBy, duties, variations } from './selection.ts';
import { environmentOf, namesOf } from './variables.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partnerkit-certify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (script: string, timeout = 20_000) =>
  runCommand({ command: ['bash', '-c', script], env: process.env, timeout, signal: new AbortController().signal });
const client = [process.execPath, join(import.meta.dirname, 'proof/clients/client.ts')];

it('every rule for clients has a duty, a fault or a freedom that judges it', () => {
  const judged = new Set([...duties, ...variations].map(({ rule }) => rule));
  // What a varied run leaves behind is compared, whatever was varied.
  judged.add('client/does-once');
  expect(rulesFor('certify').filter(({ id }) => !judged.has(id))).toEqual([]);
});

it('has a defect for every duty and every variation', () => {
  const found = new Set(clientDefects.map(({ foundBy }) => foundBy));
  const ids = [...duties.map(({ rule }) => rule as string), ...variations.map(({ id }) => id)];
  expect(ids.filter((id) => !found.has(id))).toEqual([]);
  expect(clientDefects.length).toBeGreaterThan(60);
});

it('tells of long output where its first error begins, and the end', () => {
  const lines = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text} ${i}`);
  const told = excerpt([...lines(50, 'log'), 'TypeError: fetch failed', ...lines(40, 'frame')].join('\n'))?.split('\n');
  expect(told?.slice(0, 3)).toEqual(['[…]', 'TypeError: fetch failed', 'frame 0']);
  expect(told?.slice(-2)).toEqual(['frame 38', 'frame 39']);
  expect(told?.filter((line) => line === '[…]')).toHaveLength(2);
  expect(excerpt(lines(12, 'log').join('\n'))?.split('\n')).toEqual(lines(12, 'log'));
  const thrown = ['Error: it', '    at main (client.ts:1:2)'];
  const inNode = '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)';
  expect(excerpt([...lines(3, 'log'), ...thrown, inNode, '', '  }'].join('\n'))).toBe(['[…]', ...thrown].join('\n'));
  expect(excerpt(' \n')).toBe(null);
});

describe('the clients of the proof, in a short run', () => {
  // Slow, because it starts a client for every freedom and for three faults.
  it('a correct client passes every script without waits', async () => {
    const report = await tryClient({
      command: client,
      only: ['freedoms', 'lost-reply', 'url-expires', 'server-error'],
    });
    if (typeof report === 'string') throw new Error(report);
    expect(report.rows.filter(({ outcome }) => !['pass', 'not-run'].includes(outcome))).toEqual([]);
    expect(report).toMatchObject({ verdict: 'certified', exitCode: 0 });
    expect(report.scopes.line).toBe('conversation:read conversation:write client:write site:write siteFile:write');
  });

  // One that a duty finds, one that a fault finds and one that a freedom finds: each starts a dozen clients.
  const some = ['bearer', 'uploads-again-after-lost-reply', 'needs-urgency'];
  it.each(clientDefects.filter(({ language, name }) => language === 'typescript' && some.includes(name)))(
    '$name is found by $foundBy',
    async (defect) => expect(await finderOf(defect, client)).toEqual(expect.any(String)),
  );
});

/**
 * `npm run certify:proof`: clients in five languages. Each defect must be found by what it was made for, and the right clients must pass everything,
 * in so many rounds. On a machine that others keep busy `no-jitter` may be missed: what the machine adds to a pause then hides that nothing else differs.
 */
const rounds = Number(process.env.CERTIFY_PROOF ?? 0);
if (rounds > 0) {
  const toolbox = openToolbox();
  afterAll(() => toolbox[Symbol.dispose]());
  for (const words of toolbox.missing) console.warn(words);
  describe.each([...toolbox.commands])('the clients in %s', (language, command) => {
    it.each(clientDefects.filter((defect) => defect.language === language))(
      '$name is found by $foundBy',
      async (defect) => expect(await finderOf(defect, command)).toEqual(expect.any(String)),
    );
    it.each(Array.from({ length: rounds }, (_, n) => n + 1))('a right one passes everything, round %i', async () => {
      const report = await tryClient({ command });
      if (typeof report === 'string') throw new Error(report);
      expect(report.rows.filter(({ outcome }) => !['pass', 'not-run'].includes(outcome))).toEqual([]);
    });
  });
}

it('gives no verdict for a command that fails by itself, sends nothing or does not exist', async () => {
  expect(await tryClient({ command: ['false'] })).toMatch(/fails \(exit code 1\) without any fault/);
  expect(await tryClient({ command: ['true'] })).toMatch(/sent nothing to the mock.*PARTNERKIT_URL/);
  expect((await run('exec /nonexistent')).code).toBe(127);
});

it('reports a command that fails sometimes, and does not blame the client', async () => {
  const script = join(folder, 'flaky.sh');
  // The second run fails, and every run under a fault, because a curl alone tries nothing again.
  writeFileSync(
    script,
    `curl -sf -H "x-api-key: $PARTNERKIT_KEY" $PARTNERKIT_URL/v1/labels > /dev/null || exit 1\n[ -e ${folder}/ran ] && [ ! -e ${folder}/twice ] && { touch ${folder}/twice; exit 1; }; touch ${folder}/ran\n`,
  );
  const report = await tryClient({ command: ['bash', script], only: ['unavailable'], jobs: 1 });
  if (typeof report === 'string') throw new Error(report);
  expect(report.notes.join()).toContain('sometimes fails without any fault');
  expect(report).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
});

/** The state of the process whose id a file has. */
const stateOf = (file: string) => () =>
  spawnSync('ps', ['-o', 'stat=', '-p', readFileSync(file, 'utf8').trim()]).stdout.toString();
/** A zombie is only waited for by nobody. */
const ended = /^(?:Z.*\s*)?$/;

it('notices a secret in output that it does not keep, also in pieces', async () => {
  const printed = async (script: string) =>
    (
      await runCommand({
        command: ['bash', '-c', script],
        env: {},
        timeout: 9_000,
        signal: aborted.signal,
        secret: 'k3y',
      })
    ).revealed;
  const aborted = new AbortController();
  expect(await printed('printf k; sleep 0.1; printf 3y; yes | head -c 100000')).toBe('');
  expect(await printed('printf k; sleep 0.1; printf x >&2; sleep 0.1; printf 3y')).toBe('');
  expect(await printed('echo a; printf "the k3"; sleep 0.1; echo "y, k3y"')).toBe('the ');
  expect(await printed('echo k3; echo y')).toBeUndefined();
});

it('ends the child processes of a command, and bounds its output', async () => {
  const pid = join(folder, 'pid');
  const { code, output } = await run(`sleep 300 & echo $! > ${pid}; yes out | head -c 1000000; exit 5`);
  expect(code).toBe(5);
  expect(output.length).toBeLessThan(20_000);
  await expect.poll(stateOf(pid)).toMatch(ended);
});

/** A process of its own that runs a command of bash, and prints how it ended. */
const apart = (script: string) => {
  const module = JSON.stringify(join(import.meta.dirname, 'run-client.ts'));
  const options = `{ command: ['bash', '-c', ${JSON.stringify(script)}], env: process.env, timeout: 60_000, signal: new AbortController().signal }`;
  const code = `const { runCommand } = await import(${module});
    const running = runCommand(${options}); console.log('running'); console.log((await running).code);`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
};

it('does not wait for a process that left the group and holds its output', async () => {
  const pid = join(folder, 'daemon');
  const daemon = `const child = require('node:child_process').spawn('sleep', ['300'], { detached: true, stdio: 'inherit' });
    require('node:fs').writeFileSync('${pid}', String(child.pid)); child.unref(); process.exit(5)`;
  const out = await text(apart(`"${process.execPath}" -e "${daemon.replaceAll('\n', ' ')}"`).stdout);
  process.kill(Number(readFileSync(pid, 'utf8')));
  expect(out).toBe('running\n5\n');
});

it('ends a command that does not end by itself', async () => {
  const { timedOut, code } = await run('trap "" TERM; sleep 300 & wait; sleep 300', 300);
  expect([timedOut, code]).toEqual([true, null]);
});

it('gives variables under names that the caller chooses', () => {
  const names = namesOf(['URL=PARTNER_URL']);
  expect(environmentOf({ URL: 'http://x', KEY: 'k' }, names)).toEqual({
    PARTNERKIT_URL: 'http://x',
    PARTNER_URL: 'http://x',
    PARTNERKIT_KEY: 'k',
  });
  expect(() => namesOf(['ULR=X'])).toThrow('did you mean "URL"?');
  expect(() => namesOf(['URL=1X'])).toThrow('cannot be the name of a variable');
});

/** A report, where there is one. */
async function reportOn(options: Parameters<typeof tryClient>[0]) {
  const report = await tryClient(options);
  if (typeof report === 'string') throw new Error(report);
  return report;
}

describe('the client is not blamed for', () => {
  it('a server error after which an ordinary run ends half-way', async () => {
    const script = `set -e
      call() { curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$@"; }
      conversation=$PARTNERKIT_URL/v1/conversation/$PARTNERKIT_CONVERSATION
      call -X PUT "$conversation/label/$PARTNERKIT_LABEL"
      call "$conversation/context"
      call -X DELETE "$conversation/label/$PARTNERKIT_LABEL"`;
    const report = await reportOn({ command: ['bash', '-c', script], only: ['server-error'] });
    expect(report.exitCode).toBe(0);
    expect(report.rows).toMatchObject([
      {
        outcome: 'observed',
        message: expect.stringContaining('half-way'),
        cases: { 'server-error': ['getConversationContext', 'removeConversationLabel'] },
      },
    ]);
  });

  it('a second upload URL, because certify let the first one expire', async () => {
    const script = `
      const { PARTNERKIT_URL: url, PARTNERKIT_KEY: key, PARTNERKIT_SITE: site } = process.env;
      const post = async (path, body) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const reply = await fetch(url + '/v1/site/' + site + path, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!reply.ok) throw new Error(path + ': ' + reply.status);
        return reply.json();
      };
      const start = () => post('/file/upload-url', { contentType: 'a/b' });
      const put = ({ uploadUrl }, body) => fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'a/b' }, body });
      for (const target of [await start(), await start()]) {
        let used = target;
        if ((await put(used, 'bytes')).status === 403) await put((used = await start()), 'bytes');
        await post('/file', { fileKey: used.fileKey, name: 'a file' });
      }`;
    const report = await reportOn({
      command: [process.execPath, '--input-type=module', '-e', script],
      only: ['client/upload-in-time', 'url-expires'],
    });
    expect(report.rows.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['client/upload-in-time', 'pass'],
      ['url-expires', 'pass'],
    ]);
  });

  it('a script in which the deployment behaves as its profile says', async () => {
    const script =
      'curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" -X PUT "$PARTNERKIT_URL/v1/conversation/$PARTNERKIT_CONVERSATION/label/$PARTNERKIT_LABEL"';
    const report = await reportOn({
      command: ['bash', '-c', script],
      only: ['other-replies'],
      profile: { operations: { applyConversationLabel: { status: 200 } } },
    });
    expect(report.rows).toMatchObject([
      {
        outcome: 'not-run',
        message: 'the profile says what comes when an operation answers with another success status',
      },
    ]);
    expect(clientTextReport(report)).toContain('\n  The profile says what comes when');
  });
});

/** Tries a request this often, with pauses that double. */
const tries = (count: number, firstPause: number) =>
  `pause=${firstPause}; for n in $(seq ${count}); do
    [ $n = 1 ] || { sleep $pause; pause=$(awk "BEGIN { print 2 * $pause }"); }
    curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels" && exit; done; exit 1`;

describe('when an operation fails for good', () => {
  const only = ['client/ends-retrying', 'down'];
  const outcomes = async (command: string, timeout = 30_000) => {
    const { rows, exitCode } = await reportOn({ command: ['bash', '-c', command], only, timeout });
    return { exitCode, rows: rows.map(({ id, outcome, message }) => [id, outcome, message]) };
  };

  it('a client that stops after six tries passes', async () => {
    const { rows } = await outcomes(tries(6, 0.02));
    expect(rows.map(([id, outcome]) => [id, outcome])).toEqual([
      ['client/ends-retrying', 'pass'],
      ['down', 'pass'],
    ]);
  });

  it('a client that was stopped before it gave up is undecided', async () => {
    const said = expect.stringMatching(/still trying after [2-5] attempts .*longer --timeout/);
    expect(await outcomes(tries(6, 0.15), 2_000)).toEqual({
      exitCode: 3,
      rows: [
        ['client/ends-retrying', 'inconclusive', said],
        ['down/listLabels', 'inconclusive', said],
      ],
    });
  });

  it('a client that never stops is stopped, and warned', async () => {
    const { rows } = await outcomes(tries(1_000, 0.001).replace('2 * $pause', '$pause'));
    expect(rows).toEqual([
      ['client/ends-retrying', 'warn', expect.stringContaining('13 attempts')],
      ['down/listLabels', 'warn', expect.stringContaining('no end after 13 attempts')],
    ]);
  });
});

it('one remedy is one warning, with a command that reproduces all that it mends', async () => {
  const script =
    'for path in labels health; do curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/$path" || { echo "gave up $path"; exit 1; }; done';
  const report = await reportOn({ command: ['bash', '-c', script], only: ['faults'], timeout: 5_000 });
  const { rows, sentence } = report;
  const [lost, throttled, ...more] = rows.filter(({ outcome }) => outcome === 'warn');
  const both = ['listLabels', 'getHealth'];
  expect([lost?.rule.id, throttled?.rule.id]).toEqual(['client/survives-lost-replies', 'client/survives-throttling']);
  expect(lost?.cases).toEqual({ 'lost-reply': both, 'cut-body': both });
  expect(throttled?.again).toMatch(/--only unavailable throttled /);
  expect(more).toEqual([]);
  expect(clientTextReport(report)).toMatch(/printed +\| gave up labels\n/);
  expect(sentence).toMatch(/; 2 warnings \(1 assumed by partnerkit\)$/);
  // How many there are does not depend on how many have one remedy.
  const all = variations.filter(({ kind }) => kind === 'fault').length;
  expect(sentence).toMatch(new RegExp(`^only faults: \\d+ of ${all} expectations judged, `));
  expect(clientHtmlReport(report).replaceAll(/<\/?span[^>]*>/g, '')).toMatch(
    /<p>To certify again:<\/p>.*npx partnerkit certify --only faults -- /,
  );
  const output = 'TypeError: x\n    at node:internal/url:1:2\n    at file:///client.mjs:6:28';
  const thrown = clientHtmlReport({ ...report, rows: rows.map((row) => ({ ...row, output })) });
  // The error and its place stand open, and need no click.
  expect(thrown).toMatch(
    /<p class="got">(?:(?!<details).)*<pre tabindex="0"><code>TypeError: x\n<mark> {4}at file:\/\/\/client\.mjs:6:28<\/mark><\/code>/,
  );
  const marked = thrown.match(/<mark>.*?<\/mark>/g);
  expect(new Set(marked)).toEqual(new Set(['<mark>    at file:///client.mjs:6:28</mark>']));
  if (findChromium() === null) return;
  const page = await (await sharedChromium()).newPage({ viewport: { width: 390, height: 844 } });
  await page.setContent(clientHtmlReport(report));
  const cards = page.locator('.finding');
  expect(await cards.count()).toBe(2);
  // What the specification asks for comes before what we assume.
  expect(await cards.first().locator('h3').textContent()).toContain(throttled?.advice);
  expect(await cards.last().locator('h3').textContent()).toContain(lost?.advice);
  await cards.last().getByText('listLabels, getHealth').waitFor();
  // A warning is short until it is asked what was seen.
  const printedLine = cards.last().getByText('gave up labels', { exact: true });
  expect(await printedLine.isVisible()).toBe(false);
  expect(await cards.last().getByRole('button', { name: 'copy' }).count()).toBe(0);
  await cards.last().getByText('what was seen').click();
  expect(await cards.last().locator('summary + .code').first().textContent()).toContain('--only lost-reply cut-body');
  await printedLine.waitFor();
  expect(await page.locator('.law.pass:visible').count()).toBe(0);
  await page.locator('h3.badge.warn').click();
  await page.locator('.law').getByText('lost-reply, cut-body', { exact: true }).waitFor();
  expect(await page.locator('main').textContent()).not.toContain('`');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.emulateMedia({ media: 'print' });
  expect(await printedLine.isVisible()).toBe(false);
  // The command stands with what is said of it.
  const head = page.locator('.finding .log > summary').first();
  expect(await head.textContent()).toContain('Reproduce it');
  expect(await head.evaluate((each) => getComputedStyle(each).breakAfter)).toBe('avoid');
  expect(await page.locator('details.law.pass .name > .soft:visible').count()).toBe(
    rows.filter(({ outcome }) => outcome === 'pass').length,
  );
  await page.close();
});

it('a terminal says of each broken expectation what was done to the client, though one remedy mends several', async () => {
  const script = `call() { curl -s -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$@"; }
    conversation=$PARTNERKIT_URL/v1/conversation/$PARTNERKIT_CONVERSATION
    call -f "$conversation/context" && call -X PUT "$conversation/label/$PARTNERKIT_LABEL"`;
  const text = clientTextReport(await reportOn({ command: ['bash', '-c', script], only: ['unavailable'] }));
  // What is lost silently comes first.
  expect(text.match(/^warn +\S+$/gm)?.map((line) => line.split('/')[1])).toEqual([
    'applyConversationLabel',
    'getConversationContext',
  ]);
  expect(text).toMatch(/got +fails when getConversationContext answers 503 twice: exit code \d+\n/);
  expect(text).toMatch(/got +reports success when applyConversationLabel answers 503 twice: exit code 0, and label/);
  // The client was given the id of a copy.
  expect(text).toMatch(/label "[^"]+" on \$PARTNERKIT_CONVERSATION is missing\n/);
});

it('a client that picks a label by its place is told so, and nothing of repeated requests', async () => {
  const script = `const { PARTNERKIT_URL: url, PARTNERKIT_KEY: key, PARTNERKIT_CONVERSATION: id } = process.env;
    const headers = { 'x-api-key': key };
    const { labels } = await (await fetch(url + '/v1/labels', { headers })).json();
    await fetch(url + '/v1/conversation/' + id + '/label/' + labels[7].id, { method: 'PUT', headers });`;
  const command = [process.execPath, '--input-type=module', '-e', script];
  const { rows } = await reportOn({ command, only: ['other-order', 'many-labels'] });
  const advice = rows.map((row) => [row.rule.id, row.advice]);
  expect(Object.fromEntries(advice)).toEqual({
    'client/any-order': 'Find what you need by its name or id, not by its position.',
    'client/many-labels': 'Read the whole list, and find a label in it by its name or id.',
  });
  for (const { message } of rows)
    expect(message).toMatch(/^does something else when .*: label "[^"]+" on \$\w+ in place of nothing$/);
});

it('shows the id that was given beside the request in which it is not encoded', async () => {
  const script = `const { PARTNERKIT_URL: url, PARTNERKIT_KEY: key, PARTNERKIT_SITE: site } = process.env;
    process.exit((await fetch(url + '/v1/site/' + site, { headers: { 'x-api-key': key } })).ok ? 0 : 1)`;
  const command = [process.execPath, '--input-type=module', '-e', script];
  const report = await reportOn({ command, only: ['encoded-site'] });
  const [, id = ''] =
    /given the id "(\S+ 10042#b)", it sent GET \/v1\/site\/\S+%2010042\n/.exec(clientTextReport(report)) ?? [];
  expect(id).not.toBe('');
  const [card = ''] = /<article.*?<\/section>/s.exec(clientHtmlReport(report)) ?? [];
  expect(card).toContain(`given the id &quot;${id}&quot;, it sent`);
});

it('shows the line of output that has the key, and no request', async () => {
  const script =
    'curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels"; echo; echo "using $PARTNERKIT_KEY"';
  const report = await reportOn({ command: ['bash', '-c', script], only: ['client/key-not-in-output'] });
  expect(report.rows[0]).toMatchObject({ outcome: 'warn', output: 'using $PARTNERKIT_KEY' });
  const [card = ''] = /<article.*?<\/article>/s.exec(clientHtmlReport(report)) ?? [];
  expect(card).toContain('the key in what it prints');
  expect(card).toContain('<mark>using $PARTNERKIT_KEY</mark>');
  expect(card).not.toContain('class="exchange"');
  expect(clientTextReport(report)).toMatch(/printed +\| using \$PARTNERKIT_KEY\n/);
  expect(clientTextReport(report)).not.toMatch(/^ +sent /m);
});

it('is interrupted by a signal, and still reports what was seen', async () => {
  const controller = new AbortController();
  const script =
    'curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels?key=$PARTNERKIT_KEY"';
  let runs = 0;
  const report = await reportOn({
    command: ['bash', '-c', script],
    only: ['client/key-nowhere-else', 'client/key-in-header', 'faults'],
    signal: controller.signal,
    onDone: () => ++runs === 3 && controller.abort(),
  });
  expect(report).toMatchObject({
    exitCode: 3,
    sentence: expect.stringMatching(/^interrupted .*breaks 1 documented duty/),
  });
  expect(report.rows[0]).toMatchObject({ id: 'client/key-in-header', outcome: 'inconclusive' });
  // A card says it for all, and no row again.
  expect(clientHtmlReport(report)).toMatch(/<\/span> Interrupted<\/h3>/);
  expect(clientHtmlReport(report)).not.toContain('<span class="answer">interrupted');
  expect(report.rows[1]).toMatchObject({ id: 'client/key-nowhere-else', outcome: 'fail' });
  expect(report.rows.at(-1)).toMatchObject({ id: 'down', message: expect.stringContaining('interrupted') });
  expect(report.notes.at(-1)).toMatch(/begins anew with `.* certify .*-- /);
});

it('a shell reads the command that reproduces a result as it was given', async () => {
  const script = 'curl -sf -o /dev/null -H "x-api-key: $PARTNERKIT_KEY" "$PARTNERKIT_URL/v1/labels" # it\'s! `all`';
  const report = await reportOn({ command: ['bash', '-c', script], only: ['client/key-in-header'] });
  const { stdout } = spawnSync('bash', ['-c', `npx() { printf '%s\\0' "$@"; }; ${report.rows[0]?.again}`], {
    encoding: 'utf8',
  });
  const words = ['partnerkit', 'certify', '--only', 'client/key-in-header', '--strict', '--', 'env', 'DEFECT='];
  expect(stdout.split('\0')).toEqual([...words, 'bash', '-c', script, '']);
});

it('chooses by kind and id', () => {
  const chosen = chosenBy(['faults', 'absent-fields', 'client/key-in-header']);
  expect(chosen('duty', 'client/key-in-header')).toBe(true);
  expect(chosen('duty', 'client/key-nowhere-else')).toBe(false);
  expect(chosen('fault', 'lost-reply')).toBe(true);
  expect(chosen('freedom', 'absent-fields')).toBe(true);
  expect(chosen('freedom', 'empty-lists')).toBe(false);
  expect(() => chosenBy(['lost-replay'])).toThrow('did you mean "lost-reply"?');
});
