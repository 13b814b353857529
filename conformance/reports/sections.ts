import { durationInWords } from '../../spec/text/time-in-words.ts';
import { counted } from '../counted.ts';
import { outcomes } from '../verdict/judge.ts';
import { leftoverTitle } from './leftovers.ts';
import type { Report, ReportRow } from './report-schema.ts';

/** Lists of lines under their titles, each line with the laws that it is about. What a report says besides failures and the verdict. All reports for people have these lists, without empty ones. */
export function sectionsOf({ rows, gains, left, waivers, target }: Report) {
  const regained = new Set(gains.flatMap(({ laws }) => laws));
  const others = rows.filter(({ id, outcome }) => outcome === 'not-run' && !regained.has(id));
  const lacking = gains.filter(({ laws }) => laws.length > 0);
  const line = (text: string) => ({ ids: [], text });
  const all = [
    // The only list that asks for something to be done.
    { title: leftoverTitle(left, target.file), items: left.map(line) },
    {
      title: 'Could not be judged',
      // What was seen of the others is shown with the failures.
      items: byMessage(rows.filter(({ outcome, breaches }) => outcome === 'inconclusive' && breaches.length === 0)),
    },
    {
      title: 'Not run',
      items: [
        ...lacking.map((gain) => line(`the target file lacks ${gain.field}: would add ${gainWords(gain)}`)),
        ...byMessage(others),
      ],
    },
    {
      // What a thin target file hides although every law was judged.
      title: 'Would also be judged with',
      items: gains.filter(({ laws }) => laws.length === 0).map((gain) => line(`${gain.field}: ${gainWords(gain)}`)),
    },
    {
      title: 'Left out',
      items: byMessage(rows.filter(({ outcome }) => outcome === 'not-selected')).map(({ ids, text: why }) => {
        const text = why.replace(/^it needs/, 'only with');
        const { length } = rows.filter((row) => isLeftOut(row) && ids.includes(row.id));
        return { ids, text: length === 0 ? text : `${text} (${counted(length, 'must')})` };
      }),
    },
    {
      title: 'Waivers',
      items: waivers.map(({ id, state, reason, owner, expires }) => ({
        ids: [id],
        text: `${state}, ${reason} (${owner}, until ${expires})`,
      })),
    },
  ];
  return all.filter(({ items }) => items.length > 0);
}

/** `3 laws, 1 script`: what a field of the target file would add. */
const gainWords = ({ laws, scripts }: Report['gains'][number]): string =>
  [laws.length && counted(laws.length, 'law'), scripts && counted(scripts, 'script')].filter(Boolean).join(', ');

/** Laws with the same message together, the largest group first. */
export const byMessage = (rows: readonly Pick<ReportRow, 'id' | 'message'>[]) =>
  [...Map.groupBy(rows, ({ message }) => message)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text, some]) => ({ ids: some.map(({ id }) => id), text }));

/** A documented must that was left out. */
const isLeftOut = ({ outcome, rule }: ReportRow) =>
  outcome === 'not-selected' && rule.level === 'must' && rule.provenance === 'documented';

/** Options that choose what is judged. */
export const filters = / --(?:only|skip|only-failed)[ =](?:'[^']*'|\S+)/g;

/** What a run left out: in words, how many musts, and what would judge it. `isPart`: it was told to judge a part of the contract only. */
export function leftOutOf({ rows, target }: Report) {
  const all = rows.filter(({ outcome }) => outcome === 'not-selected');
  const musts = all.filter(isLeftOut);
  const needOf = ({ message }: ReportRow) => /^it needs (.*)/s.exec(message)?.[1] ?? [];
  const isPart = musts.some((row) => needOf(row).length === 0);
  const chosen = `you chose ${target.command?.match(filters)?.join('').trim() ?? 'a part of the rules'}, which leaves `;
  const words = `${isPart ? chosen : ''}${counted(all.length, 'rule')} ${isPart ? 'unproven' : 'left out'}, ${musts.length} of them musts`;
  return { words: all.length === 0 ? [] : [words], musts: musts.length, needs: new Set(all.flatMap(needOf)), isPart };
}

/** `conformant`, or of a run that was told to judge a part of the contract only, that it is so in this part. */
export const verdictWords = (report: Report): string =>
  report.verdict === 'conformant' && leftOutOf(report).isPart
    ? 'conformant, in the part that was judged'
    : report.verdict;

/** `12 fail, 80 pass` */
export const outcomeWords = ({ outcomes }: { readonly outcomes: Readonly<Record<string, number>> }): string =>
  Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome.replace('-', ' ')}`)
    .join(', ');

/** What would have been seen, of one rule. */
export const shareWords = (share: number): string =>
  `with 95% certainty, a fault in ${Number((share * 100).toPrecision(2))}% of what was judged`;

/** What a run can see: the smallest share of wrong replies that it would have missed with less than 5%, over all rules that it found kept. */
export function missedWords(rows: readonly Pick<ReportRow, 'smallestShare'>[]): string {
  const shares = rows.flatMap(({ smallestShare }) => smallestShare ?? []).sort((a, b) => a - b);
  const middle = shares[Math.floor(shares.length / 2)];
  if (middle === undefined) return 'no rule was found kept';
  return `rare faults may be missed: in half of the rules that passed, a fault in less than one of ${Math.round(1 / middle)} replies could have gone unseen`;
}

/** `took 1 min 18 s` */
export const tookText = ({ durationMilliseconds }: Pick<Report, 'durationMilliseconds'>): string =>
  `took ${durationInWords(durationMilliseconds)}`;

/** What needs a look first. */
export const byOutcome = <R extends Pick<ReportRow, 'outcome'>>(rows: readonly R[]): readonly R[] =>
  outcomes.flatMap((outcome) => rows.filter((row) => row.outcome === outcome));
