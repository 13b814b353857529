import { ownCommand } from '../../spec/package-facts.ts';
import { commandLine } from '../../spec/text/shell-quoted.ts';
import { counted } from '../counted.ts';
import { readingOf } from '../experiments/model.ts';
import { type Learned, learnedIn, type View } from '../experiments/views.ts';
import { type Exchange, succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { deploymentOf } from '../target/deployment.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import { tenantsOf } from '../target/records.ts';
import { judgeBy, lawOf } from '../verdict/judge.ts';

const byHand = 'by hand';

/** How much is left, and what to do about it: only what the journal has can be undone by a command. */
export const leftoverTitle = (left: readonly string[], file = 'target.yaml'): string =>
  `Left behind: ${counted(left.length, 'label')}; ` +
  (left.every((what) => what.includes(byHand))
    ? 'undo it in the product'
    : // A removal that was refused is refused again.
      `${left.some((what) => /: [45]\d\d$/.test(what)) ? 'mend the removal that is refused, then ' : ''}undo what the run itself wrote with \`${commandLine([...ownCommand(), 'conformance', 'cleanup', '--target', file])}\``);

/** What the run could not undo, and what its records show at the end and not at the beginning, or the other way round. */
export function leftoversIn(history: History): string[] {
  const learned = learnedIn(history.exchanges, tenantsOf(deploymentOf(history.known.target)));
  const byRecord = Map.groupBy(history.exchanges, ({ step }) => step?.record ?? '');
  const undoneAfter = (last: Exchange | undefined, record: string, label: string) =>
    history.exchanges.slice(last && history.exchanges.indexOf(last) + 1).some((one) => {
      const write = succeeded(one) ? labelWriteOf(one.operation, one.params) : null;
      const isHere = write !== null && `${one.key?.split('/')[0]} ${holderKey(write.holder)}` === record;
      return isHere && write.act === 'remove' && write.label.toLowerCase() === label.toLowerCase();
    });
  const found = [...learned].flatMap(([id, one]) => changesOf(id, byRecord.get(id) ?? [], one, undoneAfter));
  // Where the product was asked, and no removal took a private label off, one that was served did not, either.
  const stays = () =>
    history.hooks.some(({ hook }) => hook === 'showLabels') &&
    judgeBy(lawOf('labels/private-cannot-be-removed'), history).outcome === 'pass';
  const left = history.left.filter((one) => !(one.includes(' missing from ') && stays()));
  const isKnown = (what: string) => left.some((one) => one.toLowerCase().startsWith(what.toLowerCase()));
  return [...left, ...found.filter(({ what }) => !isKnown(what)).map(({ what, act }) => `${what}: ${act}`)];
}

/**
 * How the last reply of the operation that shows the labels of this record differs from the first, and what to do about it.
 * @param undoneAfter whether a label was taken off after a reply: a run that was interrupted or given up undoes what it did last of all
 */
function changesOf(
  record: string,
  exchanges: readonly Exchange[],
  { views }: Learned,
  undoneAfter: (last: Exchange | undefined, record: string, label: string) => boolean,
) {
  const place = record.replace(/^(\S+) (.*)$/, '$2 of $1');
  const shown = exchanges.filter((one) => succeeded(one) && views.has(one.operation as never));
  const last = shown.at(-1);
  const first = shown.find(({ operation }) => operation === last?.operation);
  const view = views.get(last?.operation as never) as View | undefined;
  const [before, after] = [first, last].map((one) => (one && view ? readingOf(view, one) : null));
  if (!before || !after) return [];
  const notIn = (some: ReadonlySet<string>, others: Iterable<string>) => [...others].filter((one) => !some.has(one));
  return [
    ...[...after.own].flatMap((id) => {
      const act = `take it off ${byHand} (the last reply shows it)`;
      return undoneAfter(last, record, id) ? [] : [{ what: `label ${id} on ${place}`, act }];
    }),
    ...notIn(after.foreign, before.foreign).map((token) => ({
      what: `label ${token} missing from ${place}`,
      act: `put it back ${byHand}, unless somebody else took it off (the first replies showed it, and the last do not)`,
    })),
    ...notIn(before.foreign, after.foreign).map((token) => ({
      what: `label ${token} on ${place}`,
      act: `take it off ${byHand}, unless somebody else put it on (the first replies did not show it, and the last do)`,
    })),
  ];
}
