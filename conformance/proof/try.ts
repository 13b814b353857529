/**
 * Runs defects and variants by hand, for the work on laws:
 *   node conformance/proof/try.ts defects auth scopes      defects by the prefix of their id or broken rule, each with its result
 *   node conformance/proof/try.ts variants [id…]            legal variants, with false alarms and rules that could not be judged
 *   node conformance/proof/try.ts good                      the unchanged mock, every law with its counts
 * Options: --p 0.33 (probability), --seed 3, --network jittery, --all (every rule, not only the selected ones), --slow
 */
import { parseArgs } from 'node:util';
import { rules as allRules } from '../../spec/rules.ts';
import { judgeHistory } from '../laws/judge-history.ts';
import { defects } from './defects/index.ts';
import { legalVariants } from './legal-variants/index.ts';
import { networkProfiles } from './trials/network-profiles.ts';
import { findersIn, type TrialOptions, tryDefect, tryVariant, unjudgedIn } from './trials/trial.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    p: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    network: { type: 'string', default: 'near' },
    all: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
  },
});
const [what = 'good', ...wanted] = positionals;
const network = networkProfiles.find(({ id }) => id === values.network);
const rules = allRules.map(({ id }) => id).filter((id) => wanted.some((one) => id.startsWith(one)));
const options: TrialOptions = {
  seed: Number(values.seed),
  probability: Number(values.p),
  slow: values.slow,
  ...(network && { network }),
  ...(what === 'defects' && !values.all && rules.length > 0 && { rules: new Set(rules) }),
};
const say = (line: string) => process.stdout.write(`${line}\n`);

if (what === 'good') {
  const { history, changed, duration } = await tryDefect(null, options);
  for (const { id, outcome, finding, message } of judgeHistory(history))
    say(`${outcome.padEnd(12)} ${id} (${finding.applied}) ${message.slice(0, 160)}`);
  const last = history.exchanges.at(-1)?.doneAt ?? 0;
  const keys = Object.groupBy(history.exchanges, ({ key }) => key ?? '-');
  say(
    `${history.exchanges.length} requests in ${Math.round((last - Date.parse(history.known.startedAt)) / 1000)} virtual s, ${duration} ms`,
  );
  for (const [key, those] of Object.entries(keys)) say(`  ${key}: ${those?.length}`);
  if (changed.length > 0) say(`CHANGED ${changed.join('; ')}`);
} else if (what === 'defects') {
  let killed = 0;
  const chosen = defects.filter(({ id, breaks }) => wanted.some((one) => id.startsWith(one) || breaks.startsWith(one)));
  for (const defect of chosen) {
    const { history, reached, changed, duration } = await tryDefect(defect, options);
    const results = judgeHistory(history);
    const found = findersIn(results);
    const own = found.filter(({ rule }) => rule === defect.breaks);
    const fate = reached === 0 ? 'NOT REACHED' : own.length > 0 ? 'killed' : 'SURVIVED';
    if (fate === 'killed' || defect.survives) killed++;
    const others = found.filter(({ rule }) => rule !== defect.breaks).map(({ id }) => id);
    const unclear = unjudgedIn(results)
      .filter(({ rule }) => rule === defect.breaks)
      .map(({ message }) => message.slice(0, 200));
    if (fate !== 'killed' || changed.length > 0 || values.all)
      say(
        `${fate}${defect.survives ? ' (as it should)' : ''} ${defect.id} [${defect.breaks}] ${defect.does} (reached ${reached}, ${duration} ms)${others.length > 0 ? ` others: ${others.join(' ')}` : ''}${unclear.length > 0 ? ` unclear: ${unclear.join(' | ')}` : ''}${changed.length > 0 ? ` CHANGED ${changed.join('; ')}` : ''}`,
      );
  }
  say(`${killed} of ${chosen.length} killed by a law of their own rule`);
} else {
  for (const variant of legalVariants.filter(
    ({ id }) => wanted.length === 0 || wanted.some((one) => id.startsWith(one)),
  )) {
    const { history, changed, duration } = await tryVariant(variant, options);
    const results = judgeHistory(history);
    const alarms = findersIn(results).filter(
      ({ outcome, rule }) =>
        outcome === 'fail' || outcome === 'error' || (outcome === 'warn' && !variant.warns?.includes(rule)),
    );
    const unjudged = unjudgedIn(results).filter(
      ({ rule }) => variant.unjudged !== 'any' && !variant.unjudged?.includes(rule),
    );
    say(
      `${alarms.length === 0 && unjudged.length === 0 && changed.length === 0 ? 'fine' : 'WRONG'} ${variant.id} (${duration} ms)`,
    );
    for (const { id, outcome, message } of alarms) say(`    ${outcome} ${id}: ${message.slice(0, 300)}`);
    for (const { id, outcome, message } of unjudged) say(`    ${outcome} ${id}: ${message.slice(0, 200)}`);
    if (changed.length > 0) say(`    CHANGED ${changed.join('; ')}`);
  }
}
