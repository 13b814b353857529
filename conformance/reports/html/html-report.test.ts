import { expect, it } from 'vitest';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { remediesFor, toMend } from '../../../spec/report-page/page.ts';
import { sampleReport } from '../../proof/sample-report.ts';
import { named, tryDefect } from '../../proof/trials/trial.ts';
import { judgeHistory, laws } from '../../verdict/judge.ts';
import { consoleReport } from '../console.ts';
import { reportOf } from '../report-of.ts';
import type { ReportRow } from '../report-schema.ts';
import { leftOutOf } from '../sections.ts';
import { applyWaivers } from '../verdict.ts';
import { htmlReport } from './html-report.ts';

/** As it is read. */
const withoutSpans = (page: string) => page.replace(/<\/?span[^>]*>/g, '');

async function pageOf(id: string, only: string): Promise<{ page: string; wrong: string }> {
  const rules = new Set(laws.map(({ id }) => id).filter((rule) => rule.startsWith(only)));
  const { history } = await tryDefect(named(defects, id), { slow: false, rules });
  const chosen = judgeHistory(history).filter(({ rule }) => rules.has(rule));
  const waived = applyWaivers({ results: chosen, interrupted: false }, [], Date.parse(history.known.startedAt));
  const page = htmlReport(reportOf(history, chosen, waived), undefined, 'report.json');
  return { page, wrong: page.slice(page.indexOf('id="wrong"'), page.indexOf('id="rules"')) };
}

it('shows a failure as its script: the state, the request and the look, with its counts', async () => {
  const { page, wrong } = await pageOf('labels/legacy-apply-not-stored', 'labels/');
  const card = wrong.split('</article>').find((one) => one.includes('href="#labels/apply-adds"')) ?? '';
  expect(card).toMatch(
    /expected<\/span> <em>spare label.* · <span>got<\/span> <b>label \S+ \(&quot;spare&quot;\) missing<\/b>/,
  );
  // Where the label is missing, its list is marked.
  expect(card).toMatch(/<mark><span class="json-name">&quot;labels&quot;<\/span>: \[<\/mark>/);
  expect(card).toMatch(
    /<span>after<\/span> <em title="PUT \/v1\/site\/\S+ with[^>]*>PUT \/v1\/site\/\d+\/label\/1abe1008…0008 with acme\/\S+, answered 200<\/em>/,
  );
  expect(card).toContain(
    'seen 8 of 8 times with this request, and 0 of 8 times in the control, the same steps without it',
  );
  // The counts are those of its trials.
  expect(card).toContain('in <code>PUT /v1/site/{id}/label/{labelId}</code> · ');
  expect(wrong.match(/Do this first/g)).toHaveLength(1);
  expect(card).toContain('Do this first');
  expect(card).toMatch(/<b>To mend it:<\/b> Store the label before the reply is sent/);
  expect(card).toMatch(/labels\/apply-adds<\/a> · must · States and transitions</);
  expect(withoutSpans(card)).toContain('conformance reproduce report.json labels/apply-adds --target target.yaml');
  expect(
    withoutSpans(card).match(/^(<div class="code(?: long)?"><pre tabindex="0"><code>)?curl -i -X (PUT|DELETE) /gm),
  ).toHaveLength(3);
  expect(card.match(/<details class="exchange">/g)).toHaveLength(2);
  expect(card.match(/<details class="exchange" open>/g)).toHaveLength(1);
  expect(page).toMatch(/<dt>Would be seen<\/dt><dd>with 95% certainty, a fault in [\d.]+% of what was judged<\/dd>/);
  expect(page).not.toContain('NaN');
});

it('says of a limiter what was expected and what came in few words, and the proof beside them', async () => {
  const { page, wrong } = await pageOf('limiter/fixed-seconds-of-20', 'limiter/');
  const [, got = '', note = ''] =
    /got<\/span> <b>(.*?)<\/b><\/p>.*?<p class="facts small">(.*?)<\/p>/s.exec(wrong) ?? [];
  expect(got).toMatch(/^\d+ in [\d.]+ s, where at most \d+ may be admitted$/);
  const [, sent] = /^key acme\/limits was answered 429 in \d+ of (\d+) requests; \d+ admitted within/.exec(note) ?? [];
  // The strip has as many.
  const legend = [
    ...page.matchAll(/(\d+) (?:admitted, each bar the rate within [\d.]+ s|throttled|answered \d+)<\/li>/g),
  ].map(([, count]) => Number(count));
  expect(legend.reduce((sum, one) => sum + one, 0)).toBe(Number(sent));
  expect(wrong).not.toContain('Do this first');
  expect(wrong).toContain('href="#limiter"');
  expect(wrong).toContain('Refill the bucket of each key');
  expect(withoutSpans(wrong)).toContain('conformance reproduce report.json limiter/');
});

it('one card says what several rules have in common, and folds where a bug of ours is', async () => {
  const report = await sampleReport();
  const page = htmlReport({ ...report, target: { ...report.target, file: 'staging.yaml' } });
  expect(page).toContain('<span class="option">--target</span> staging.yaml');
  // The rule that explains it best, then what came, what to do, where, and every rule.
  expect(withoutSpans(page)).toMatch(
    /\.<\/h3>\n<p class="got">2 rules: expected <em>403.*?<\/em> · got <b>401<\/b><\/p>.*?To mend it:.*?<p class="facts soft small">in <code>GET .*?<\/p>\n<ul/s,
  );
  expect(page).toMatch(/Error: a mistake of ours<\/p><details class="log">/);
});

it('what most replies show is to be mended, although it is undecided', async () => {
  const report = await sampleReport();
  const rows = report.rows.map((row) =>
    row.id === 'auth/bearer-is-not-supported'
      ? { ...row, outcome: 'inconclusive' as const, broken: 0, applied: 0 }
      : row,
  );
  const page = htmlReport({ ...report, rows }, undefined, 'report.json');
  const card =
    page
      .split('<article')
      .slice(1)
      .find((one) => one.includes('>2 rules: ') && one.includes('<b>401</b>')) ?? '';
  expect(card).toContain('<span class="badge fail">');
  expect(card).toContain('auth/bearer-is-not-supported</a> · must · Authentication · inconclusive');
  expect(withoutSpans(card)).toContain('conformance reproduce report.json auth/header-is-required');
  expect(card).toContain(toMend(remediesFor(['auth/bearer-is-not-supported']))?.markup);
});

it.each([
  ['limiter/no-retry-after', /\n<mark>Retry-After: missing<\/mark>/],
  ['context/type-list', /<mark><span class="json-name">&quot;type&quot;<\/span>: \[<\/mark>/],
  ['isolation/their-text-in-a-refusal', /<mark>.*about the heat.*<\/mark>/],
  // What is not there has no line.
  ['upload/fileKey-missing', /<h4>Reply<\/h4><div class="whole">/],
])('marks what shows that it is wrong, %s', async (id, mark) => {
  const { wrong } = await pageOf(id, id.slice(0, id.indexOf('/') + 1));
  expect(wrong.split('</article>')[0]).toMatch(mark);
  expect(wrong.match(/class="whole"/g)?.length ?? 0).toBe(id === 'upload/fileKey-missing' ? 1 : 0);
});

it('a measured figure that breaks the limit is red', async () => {
  const { page } = await pageOf('limiter/11-per-second', 'limiter/');
  expect(page).toMatch(/<span>got<\/span> <b>[\d.]+ to [\d.]+ per second<\/b>/);
  const figures = [...page.matchAll(/<p class="(\w*)"><b>([\d.]+) to [\d.]+<\/b>/g)];
  expect(figures.map(([, tone]) => tone)).toEqual(['fail', '']);
  expect(page).toContain('<b>To mend it:</b> Lower the rate from about 11.');
  // What the card points to comes next.
  expect(
    page
      .match(/<h2[^>]*>[\w ]+/g)
      ?.map((head) => head.replace(/<.*>/, ''))
      .slice(0, 2),
  ).toEqual(['What is wrong', 'Rate limiter']);
});

it('says the figures of a bucket once on its card, and of what was measured no count of replies', async () => {
  const { page, wrong } = await pageOf('limiter/burst-40', 'limiter/');
  const [card = ''] = wrong.split('</article>');
  expect(card).toMatch(/<p class="got">\d rules: /);
  expect(card).toMatch(/<span>got<\/span> <b>[\d.]+ to [\d.]+ at once<\/b>/);
  expect(card).not.toMatch(/admitted within|broken \d+ of/);
  // The strip has the proof.
  expect(page).toMatch(/<figcaption><b>too lax<\/b>: \d+ admitted within/);
});

it('calls no limiter right that does not limit another key than the measured one', async () => {
  const { page } = await pageOf('limiter/none-for-keys-with-all-scopes', 'limiter/');
  expect(page).toMatch(/<b>too lax<\/b>: key acme\/full was answered 429 in /);
  // The strip is of another key than the card.
  expect(page).toContain('Rate limiter, measured with key acme/limits</h2>');
  expect(page).not.toContain('href="#limiter"');
});

it('has the rules by outcome, what needs a look first, and what was not selected last, by section', async () => {
  const report = await sampleReport();
  const rows = report.rows.map((row) =>
    row.id === 'auth/no-key-is-403' ? row : { ...row, outcome: 'not-selected' as const },
  );
  const page = htmlReport({ ...report, rows });
  const [failed, left, ...others] = page.matchAll(/<h3 class="badge ([\w-]+)"><b>(\d+)<.*?(?=<h3|<\/main)/gs);
  expect(others).toEqual([]);
  expect([failed?.slice(1), left?.slice(1)]).toEqual([
    ['fail', '1'],
    ['not-selected', `${rows.length - 1}`],
  ]);
  const sections = [...(left?.[0].matchAll(/<h4>(.*?)<\/h4><details class="law/g) ?? [])].map(([, title]) => title);
  expect(sections).toContain('Limits');
  expect(new Set(sections).size).toBe(sections.length);
});

it('says that a run of a few rules judged a part of the contract', async () => {
  const report = await sampleReport();
  const [law] = report.rows.filter(({ rule }) => rule.level === 'must' && rule.provenance === 'documented');
  const rows = (message: string) =>
    report.rows.map((row) => (row === law ? row : { ...row, outcome: 'not-selected' as const, message }));
  const run = { ...report, verdict: 'conformant' as const };
  const target = { ...report.target, command: "npx partnerkit conformance run --only 'auth errors' --skip=limits" };
  const page = (message: string) => withoutSpans(htmlReport({ ...run, rows: rows(message) }));
  expect(page('left out')).toContain('verdict conformant part"');
  expect(page('it needs --slow')).toContain('verdict conformant"');
  expect(page('left out')).toContain('<h1>Conformant, in the part that was judged</h1>');
  // What was chosen, and what that leaves unproven.
  const [sentence] = leftOutOf({ ...run, target, rows: rows('left out') }).words;
  expect(sentence).toMatch(
    /^you chose --only 'auth errors' --skip=limits, which leaves \d+ rules unproven, \d+ of them/,
  );
  expect(page('left out')).toMatch(/; you chose a part of the rules, which leaves \d+ rules unproven/);
  const ofPart = consoleReport({ ...run, target, rows: rows('left out') });
  expect(ofPart).toContain(`\nY${sentence?.slice(1)}\n`);
  expect(ofPart).toContain('\nconformant, in the part that was judged: ');
  expect(consoleReport({ ...run, target, rows: rows('it needs --slow') })).toContain('\nconformant: ');
  // What needs a flag is left out of most runs, and counted.
  expect(page('it needs --slow')).toContain('<h1>Conformant</h1>');
  const others = report.rows.length - 1;
  expect(page('it needs --slow')).toMatch(/must rules passed.*; [1-9]\d* rules left out, [1-9]\d* of them musts\./);
  const listed = page('it needs --slow').match(/>Left out<(.*?)<\/ul>/s)?.[1] ?? '';
  expect(listed.match(/<a href/g)).toHaveLength(others);
  const isMust = ({ rule }: ReportRow) => rule.level === 'must' && rule.provenance === 'documented';
  const musts = report.rows.filter((row) => row !== law && isMust(row)).length;
  expect(listed).toContain(`Only with --slow (${musts} musts): ${others} rules`);
  // Of the bar, they are a part as large.
  expect(page('it needs --slow')).toMatch(new RegExp(`<rect class="not-selected" x="\\d+" width="${musts}" `));
});

it('has the one command that comes next: what is mended again, else what was left out; and the rules', async () => {
  const report = await sampleReport();
  const rows = report.rows.map((row, i) =>
    i === 0
      ? row
      : { ...row, outcome: 'not-selected' as const, message: i === 1 ? 'it needs --slow' : 'not among those chosen' },
  );
  const command = "npx partnerkit conformance run --target a.yaml --only 'a b' --read-only --skip=limits";
  const of = (verdict: typeof report.verdict) =>
    withoutSpans(htmlReport({ ...report, verdict, rows, target: { ...report.target, command } }));
  const next = (page: string) =>
    [...page.matchAll(/<pre tabindex="0"><code>(npx .*?)<\/code>/g)].map(([, one]) => one)[0];
  expect(next(of('non-conformant'))).toBe(command.replaceAll("'", '&#39;'));
  const page = of('conformant');
  expect(next(page)).toBe('npx partnerkit conformance run --target a.yaml --read-only --slow');
  // What was blocked goes on before anything else is added.
  const blocked = htmlReport({ ...report, rows, blocked: 'blocked', target: { ...report.target, command } });
  expect(blocked).toContain('Ended early');
  expect(blocked).not.toContain('To judge the rest');
  const hooked = {
    ...report,
    verdict: 'conformant' as const,
    rows: rows.map((row, i) => (i === 2 ? { ...row, message: 'it needs hooks' } : row)),
  };
  expect(htmlReport(hooked)).toContain('To judge the rest, except what needs hooks:');
  const folded = page.match(/Not among those chosen(?: \(\d+ musts?\))?: \d+ rules<\/summary>(.*?)<\/details>/g) ?? [];
  expect(folded.join('').match(/<a href/g)).toHaveLength(rows.length - 2);
});

it('an interrupted run says what was tried, and the command that goes on or begins anew', async () => {
  const report = await sampleReport();
  const scripts = { ended: 7, stopped: 55 };
  const rows = report.rows.map((row) => ({
    ...row,
    outcome: 'not-run' as const,
    message: 'interrupted',
    breaches: [],
  }));
  const cut = { ...report, rows, interrupted: true, scripts, target: { ...report.target, file: 'staging.yaml' } };
  const page = withoutSpans(htmlReport(cut, undefined, 'last.json'));
  expect(page).toContain('<b>Interrupted:</b> not all was tried. 7 of 62 scripts came to their end. ');
  expect(page).toContain('conformance run --target staging.yaml --only-failed last.json');
  // The reports of this run stay.
  const target = {
    ...cut.target,
    command: 'npx partnerkit conformance run --only labels --report html=a.html,json=last.json',
  };
  expect(withoutSpans(htmlReport({ ...cut, target }, undefined, 'last.json'))).toContain(
    'npx partnerkit conformance run --report html=a-again.html,json=last-again.json --only-failed last.json<',
  );
  const spaced = { ...cut.target, command: "npx partnerkit conformance run --report 'html=a b.html'" };
  expect(withoutSpans(htmlReport({ ...cut, target: spaced }, undefined, 'last.json'))).toContain('a b-again.html');
  // What goes on makes it needless to begin anew.
  expect(page).not.toContain('Begin anew');
  expect(withoutSpans(htmlReport(cut))).toMatch(/Begin anew.*conformance run --target staging\.yaml # with/s);
  // The head says it, and one list for all rules.
  const seen = page.replace(/ data-search=".*?"|<div class="inside">.*?<\/details>|<script>.*/gs, '');
  expect(seen.match(/interrupted/gi)).toHaveLength(2);
  expect(htmlReport(report)).not.toContain('not all was tried');
  const all = { ...report, rows: report.rows.filter(({ outcome }) => outcome !== 'not-selected') };
  expect(withoutSpans(htmlReport(all, undefined, 'last.json'))).toMatch(
    /<p>When it is mended:<\/p>.* --only-failed last\.json</,
  );
});

it('a rule that is broken by the same requests to a record as another sends to that one', async () => {
  const { page } = await pageOf('labels/legacy-apply-not-stored', 'labels/');
  const cards = page.match(/<article.*?<\/article>/gs) ?? [];
  expect(cards[0]).toMatch(/id="wrong-labels\/apply-adds".*Do this first:.*To mend it:/s);
  expect(cards.length).toBeGreaterThan(1);
  for (const card of cards.slice(1)) {
    expect(card).toContain('Mend <a href="#wrong-labels/apply-adds">');
    expect(card).not.toContain('To mend it:');
  }
});

it('a warning is a card below what is wrong, with what to do', async () => {
  const report = await sampleReport();
  const page = htmlReport(report);
  const cards = [...page.matchAll(/<article class="card finding (\w+)".*?<\/article>/gs)];
  expect(cards.at(-1)?.[1]).toBe('warn');
  expect(cards.at(-1)?.[0]).toContain('<b>To mend it:</b> Let the gateway answer');
  expect(cards.slice(0, -1).map(([, kind]) => kind)).not.toContain('warn');
});

it('what is undecided shows its replies, and the command that decides it', async () => {
  const report = await sampleReport();
  const message = '401 where 403 was expected; this run did not try it again: it may be a passing fault, so run again';
  const rows = report.rows.map((row) =>
    row.breaches[0]?.observed.startsWith('401')
      ? { ...row, outcome: 'inconclusive' as const, message, broken: 0 }
      : row,
  );
  const page = htmlReport({ ...report, rows }, undefined, 'report.json');
  const card = /<article class="card finding inconclusive".*?<\/article>/s.exec(page)?.[0] ?? '';
  expect(card).toContain(`<b>Not decided:</b> ${message}`);
  expect(withoutSpans(card)).toContain('conformance reproduce report.json auth/');
  expect(card).toMatch(/<details class="exchange" open>.*<mark>401<\/mark>/s);
  const list = page.slice(page.indexOf('>Could not be judged<'), page.indexOf('id="rules"'));
  expect(list).toContain('context/undecided');
  expect(list).not.toContain('401 where');
});

it('without a report to reproduce from, has the rule judged again, and shows no command that cannot run', async () => {
  const page = htmlReport(await sampleReport());
  expect(withoutSpans(page)).toMatch(/conformance run --only [,\w/-]+ --target/);
  expect(page).not.toContain('conformance reproduce');
});

it.each([
  ['403 (key: none)', '401', toMend(remediesFor(['auth/header-is-required']))?.markup ?? 'none'],
  ['403 (key: none)', '501', 'Implement the operation'],
  ['403 (key: none)', '503 after 2 s', 'in the log of the server: a 503 is'],
  ['success', '404', 'what refuses these requests with 404'],
])('where %j was expected and %j came, says what to do about it', async (expected, observed, remedy) => {
  const report = await sampleReport();
  const rows = report.rows
    .filter(({ id }) => id === 'auth/header-is-required')
    .map((row) => ({ ...row, breaches: row.breaches.map((one) => ({ ...one, expected, observed })) }));
  expect(htmlReport({ ...report, rows })).toContain(remedy);
});

it('says why laws could not be judged, once for each reason', async () => {
  const report = await sampleReport();
  const unclear = { outcome: 'inconclusive' as const, message: 'somebody else writes here', breaches: [] };
  const page = htmlReport({ ...report, rows: report.rows.slice(0, 2).map((row) => ({ ...row, ...unclear })) });
  const list = page.slice(page.indexOf('>Could not be judged<'), page.indexOf('id="rules"'));
  expect(list.match(/somebody else writes here/gi)).toHaveLength(1);
});

it('shortens the ids in the heading of a request, which has the whole address in its title', async () => {
  const { wrong } = await pageOf('labels/legacy-apply-not-stored', 'labels/');
  const headings = [...wrong.matchAll(/<details class="exchange".*?<code title="(.*?)">(.*?)<\/code>/g)];
  expect(headings.length).toBeGreaterThan(2);
  for (const [, title = '', shown = ''] of headings) {
    expect(title).toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    expect(shown).toMatch(/[\w-]{8}…\w{4}/);
    expect(shown.length).toBeLessThan(70);
  }
});

it('folds what was left behind after what is wrong, below the command that undoes it, and unfolds nothing within a line that unfolds', async () => {
  const sample = await sampleReport();
  const [row, ...rows] = sample.rows;
  if (row === undefined) throw new Error('the sample has no rows');
  const unclear = { ...row, outcome: 'inconclusive' as const, breaches: [] };
  const page = htmlReport({ ...sample, rows: [unclear, ...rows], left: ['label spare on site 10042'] });
  const left = page.slice(page.indexOf('<h2>Left behind: 1 label</h2>'), page.indexOf('label spare on site 10042'));
  expect(withoutSpans(left)).toMatch(
    /<p>Undo what the run itself wrote with:<\/p>.*<code>npx partnerkit conformance cleanup --target target.yaml<\/code>.*<details/s,
  );
  expect(page.indexOf('Left behind')).toBeGreaterThan(page.indexOf('id="wrong"'));
  expect(page.match(/<summary>(?:(?!<\/summary>)[\s\S])*<details/)).toBeNull();
});

it('an answer with a media type stays whole', async () => {
  const report = await sampleReport();
  const message = 'Content-Type of JSON: application/json; charset=utf-8; of others: none';
  const rows = report.rows.map((row) => ({ ...row, outcome: 'observed' as const, breaches: [], message }));
  expect(htmlReport({ ...report, rows })).toMatch(
    /<code>application\/json; charset=utf-8<\/code><\/span><span class="answer">of others: none</,
  );
});

it('says that a success was expected where a status came in its place', async () => {
  const { wrong } = await pageOf('labels/applySiteLabel-answers-501', 'labels/site-apply');
  expect(withoutSpans(wrong)).toMatch(/expected <em>success, with spare label .*? · got <b>501<\/b>/);
});
