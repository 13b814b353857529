import { expect, it } from 'vitest';
import { laws } from '../../laws/index.ts';
import { judgeHistory } from '../../laws/judge-history.ts';
import { defects } from '../../proof/defects/index.ts';
import { named } from '../../proof/trials/named.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { applyWaivers } from '../../run/waivers.ts';
import { reportOf } from '../report-of.ts';
import { htmlReport } from './html-report.ts';

async function pageOf(id: string, only: string): Promise<{ page: string; wrong: string }> {
  const judging = laws.filter(({ rule }) => rule.startsWith(only));
  const rules = new Set(judging.map(({ rule }) => rule));
  const { history } = await tryDefect(named(defects, id), { slow: false, rules });
  const chosen = judgeHistory(history, { laws: judging });
  const waived = applyWaivers({ results: chosen, interrupted: false }, [], Date.parse(history.known.startedAt));
  const page = htmlReport(reportOf(history, chosen, waived));
  return { page, wrong: page.slice(page.indexOf('id="wrong"'), page.indexOf('id="rules"')) };
}

it('shows a race as a timeline of the record: who wrote when, and which reply shows what was lost', async () => {
  const { page, wrong } = await pageOf('labels/two-applies-at-once-on-site', 'labels/');
  // Two laws that the same reply breaks are one finding with one picture, in two widths.
  const race = wrong.split('</article>').find((one) => one.includes('href="#labels/site-apply"')) ?? '';
  expect(race).toMatch(/href="#labels\/site-apply".* \(\d+ of \d+\); <a href="#labels\/[\w-]+">/);
  expect(race).toContain(
    '<h3>The reply to applySiteLabel does not show label &quot;second spare&quot; after applying it',
  );
  expect(race).toContain('Writes overlapped.');
  expect(race.match(/<rect class="wrong"/g)).toHaveLength(2);
  expect(race).toMatch(
    /aria-label="(apply .*; )+apply &quot;spare&quot;: 200, is not there; .*apply it: 200, is there/,
  );
  expect(page).not.toContain('NaN');
});

it('says how often each key was throttled, and the reason only once', async () => {
  const { wrong } = await pageOf('limiter/fixed-seconds-of-20', 'limiter/');
  const heading =
    /<h3>(Key acme\/limits got \d+ times 429 in \d+ requests: .*?\d+ admitted .*?)<\/h3>/.exec(wrong)?.[1] ?? '';
  expect(heading.match(/most generous reading/g)).toHaveLength(1);
});

it('calls no limiter right that does not limit another key than the measured one', async () => {
  const { page } = await pageOf('limiter/none-for-keys-with-all-scopes', 'limiter/');
  expect(page).toMatch(/<b>too lax<\/b>: key acme\/full got /);
});
