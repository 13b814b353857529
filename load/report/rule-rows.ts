import { changeOf, figure, offBy } from '../../spec/limiter/describe-judgement.ts';
import { largestBurst } from '../../spec/limiter/limit.ts';
import { remediesFor } from '../../spec/report-page/page.ts';
import { ruleById } from '../../spec/rules.ts';
import { scenarioPlan } from '../scenarios.ts';
import type { LoadReport } from './report-schema.ts';

/** Whether a part is more than what two runs of one limiter differ by. */
export const isMuch = (part: number): boolean => Math.abs(part) > 0.05;

/** What a key has measured of its rate and burst, against what is declared. */
export const bucketOf = ({ verdict, measured, limit }: LoadReport['keys'][number]) =>
  (
    [
      ['limiter/steady-rate', 'rate', ' rps', 1, 0, limit.perSecond, limit.perSecond],
      ['limiter/burst', 'burst', '', 0, 1, limit.burst, largestBurst(limit)],
    ] as const
  ).map(([rule, name, unit, digits, known, least, most]) => {
    const { low, high, best } = measured[name];
    const [value, bounds] = [figure(measured[name], digits, known), figure({ low, high }, digits + 1, known)];
    const off = verdict.startsWith('too') ? offBy(measured[name], least, most) : 0;
    return {
      ...{ rule, name, unit: String(unit), best, off, isOff: isMuch(off) },
      /** "10.0", "at least 9.9"; nothing where every bucket would do. */
      value,
      /** "9.93 to 10.09 rps". */
      bounds: bounds === undefined ? 'not bounded' : `${bounds}${unit}`,
      declared: `declared ${least}${unit}${most > least ? `, up to ${most} is allowed` : ''}`,
      allowed: `${least}${most > least ? ` to ${most}` : unit}`,
      change: isMuch(off) ? changeOf(name, measured[name], least) : undefined,
      check: isMuch(off) ? `Check the ${name}, too: ${value} measured, ${least} declared.` : undefined,
    };
  });

/** What an only key has measured, where a bucket explains it. */
const figuresOf = ({ keys: [key, ...others] }: Pick<LoadReport, 'keys'>) =>
  key?.measured.bucket && others.length === 0 ? bucketOf(key).filter(({ value }) => value !== undefined) : [];

const isFailed = ({ outcome }: { readonly outcome: string }): boolean => outcome === 'fail';

/** The rules as all reports show them: the broken ones first, and last what was not judged, with the reason. */
export function ruleRows(report: LoadReport) {
  const { rules, scenario, sentence } = report;
  const figures = figuresOf(report);
  const broken = rules.find(isFailed);
  const open = broken === undefined ? 'nothing to judge it by' : `left open while ${broken.rule} is broken`;
  const ids = new Set([...(scenarioPlan(scenario)?.rules ?? []), ...figures.map(({ rule }) => rule)]);
  const unjudged = [...ids]
    .filter((id) => !rules.some(({ rule }) => rule === id))
    .map((rule) => {
      const isSeen = broken === undefined && figures.some((one) => one.rule === rule);
      const outcome = isSeen ? ('observed' as const) : ('not judged' as const);
      return { ...ruleById(rule), rule, outcome, seen: '', reason: isSeen ? '' : open };
    });
  const judged = rules.map((row) => ({ ...row, reason: '' }));
  const sorted = [...judged.filter(isFailed), ...judged.filter((row) => !isFailed(row)), ...unjudged];
  return sorted.map(({ rule, outcome, level, provenance, seen, reason }) => {
    const own = figures.find((one) => one.rule === rule);
    const said = [own && `${own.bounds} (${own.declared})`, sentence.includes(seen) ? '' : seen, reason];
    return { rule, outcome, level, provenance, reason, figure: own, fact: said.filter(Boolean).join(', ') };
  });
}

/** What to do about the broken rules: of an only key's bucket, which figures to change. */
export function remediesOf({ rules, keys }: LoadReport): string[] {
  const failed = rules.filter(isFailed).map(({ rule }) => rule);
  const figures = figuresOf({ keys });
  const [broken, others] = [true, false].map((is) => figures.filter(({ rule }) => failed.includes(rule) === is));
  const remedies = failed.flatMap((id) => broken?.find(({ rule }) => rule === id)?.change ?? remediesFor([id]));
  const checks = broken?.some(({ isOff }) => isOff) ? (others ?? []).flatMap(({ check }) => check ?? []) : [];
  return [...new Set([...remedies, ...checks])];
}
