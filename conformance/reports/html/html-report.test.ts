import { expect, it } from 'vitest';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { named } from '../../proof/trials/named.ts';
import { tryDefect } from '../../proof/trials/trial.ts';
import { applyWaivers } from '../../run/verdict.ts';
import { judgeHistory, laws } from '../../verdict/judge.ts';
import { reportOf } from '../report-of.ts';
import { htmlReport } from './html-report.ts';

async function pageOf(id: string, only: string): Promise<{ page: string; wrong: string }> {
  const rules = new Set(laws.map(({ id }) => id).filter((rule) => rule.startsWith(only)));
  const { history } = await tryDefect(named(defects, id), { slow: false, rules });
  const chosen = judgeHistory(history).filter(({ rule }) => rules.has(rule));
  const waived = applyWaivers({ results: chosen, interrupted: false }, [], Date.parse(history.known.startedAt));
  const page = htmlReport(reportOf(history, chosen, waived));
  return { page, wrong: page.slice(page.indexOf('id="wrong"'), page.indexOf('id="rules"')) };
}

it('shows a failure as its script: the state, the request and the look, with its counts', async () => {
  const { page, wrong } = await pageOf('labels/legacy-apply-not-stored', 'labels/');
  const card = wrong.split('</article>').find((one) => one.includes('href="#labels/apply-adds"')) ?? '';
  expect(card).toMatch(/expected <b>.*<\/b> · got <b>label \S+ is not there<\/b>/);
  expect(card).toContain('8 of 8, without the request 0 of 8');
  expect(card.match(/^(<div class="shell"><pre tabindex="0"><code>)?curl -i -X (PUT|DELETE) /gm)).toHaveLength(3);
  expect(card.match(/<details class="exchange">/g)).toHaveLength(2);
  expect(card.match(/<details class="exchange" open>/g)).toHaveLength(1);
  expect(page).toMatch(/<dt>Would be seen<\/dt><dd>with 95%, a fault in [\d.]+% of what was judged<\/dd>/);
  expect(page).not.toContain('NaN');
});

it('says how often each key was throttled, and the reason only once', async () => {
  const { wrong } = await pageOf('limiter/fixed-seconds-of-20', 'limiter/');
  const heading =
    /got <b>(key acme\/limits got \d+ times 429 in \d+ requests: .*?\d+ admitted .*?)<\/b>/i.exec(wrong)?.[1] ?? '';
  expect(heading.match(/most generous reading/g)).toHaveLength(1);
});

it('calls no limiter right that does not limit another key than the measured one', async () => {
  const { page } = await pageOf('limiter/none-for-keys-with-all-scopes', 'limiter/');
  expect(page).toMatch(/<b>too lax<\/b>: key acme\/full got /);
});
