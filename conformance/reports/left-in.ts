import { uuid } from '../../spec/text/uuid.ts';
import { succeeded } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import { askedBy, deploymentIn } from '../laws/judging/asked.ts';
import { interference } from '../laws/labels/interference.ts';
import { type Life, lives } from '../laws/labels/registers/lives.ts';
import { isSpare } from '../laws/labels/registers/register.ts';
import { lastingChanges, type RegisterBreach } from '../laws/labels/registers/register-breaches.ts';
import { staleReplies } from '../laws/labels/sets/stale-replies.ts';
import { changedByUser } from '../laws/labels/user-changes.ts';
import { holderKey, labelWriteOf } from '../target/holder.ts';
import { privatesOf, tenantsOf } from '../target/records.ts';

const byHand = 'by hand';

/** What to do about what is left: only what the journal has can be undone by a command. */
export const leftAdvice = (left: readonly string[]): string =>
  left.every((what) => what.endsWith(byHand))
    ? 'undo it in the product'
    : 'run `partnerkit conformance cleanup`, which undoes what the run itself wrote';

/** What the run could not undo, and what the deployment lost or added besides. What only another client can have changed is none of it. */
export function leftIn(history: History): string[] {
  const cause = interference(history);
  const disturbed = cause !== null;
  // A user, or the deployment when this run wrote: nobody can tell, so somebody should look at it.
  const isDoubtful = disturbed && cause === changedByUser(history);
  const isOld = ({ stale }: RegisterBreach) => stale && staleReplies(history).kind === 'reads';
  // Nobody but a run should write a spare label, so it is named, whoever has put it on.
  const isNamed = ({ tenant, label, shows }: RegisterBreach) =>
    !disturbed || isDoubtful || (shows && isSpare(tenant, label, history));
  const changes = lastingChanges(history).filter((one) => !isOld(one) && isNamed(one));
  const found = changes.map(({ tenant, holder, label, shows }) => {
    const seen = `the first replies ${shows ? 'did not show it, and the last do' : 'showed it, and the last do not'}`;
    const why = disturbed
      ? 'the last reply shows it: another client has put it on, or the deployment has after this run took it off; look at the other records as well, where it may come back later'
      : `${seen}: undo it ${byHand}`;
    return {
      what: `label ${label} ${shows ? 'on' : 'missing from'} ${holderKey(holder)} of ${tenant}`,
      why: isDoubtful
        ? `${seen}: another client or the deployment changed it; where nobody meant to, undo it ${byHand}`
        : why,
    };
  });
  const isKnown = ({ what }: Left) => history.left.some((one) => one.toLowerCase().startsWith(what.toLowerCase()));
  const shown = [...lives(history).values()].flatMap((life) => [...privateIn(life, history), ...repeatedIn(life)]);
  const all = Map.groupBy(
    [...shown, ...found].filter((one) => !isKnown(one)),
    ({ what }) => what,
  );
  return [...history.left, ...[...all].map(([what, [first]]) => `${what}: ${first?.why}`)];
}

interface Left {
  readonly what: string;
  readonly why: string;
}

const leftOn = ({ tenant, holder }: Life, label: string, why: string): Left => ({
  what: `label ${label} on ${holderKey(holder)} of ${tenant}`,
  why: `${why}: undo it ${byHand}`,
});

/** Labels that the last reply shows more often than an earlier reply of the same operation, which spells labels in the same way. */
function repeatedIn(life: Life): Left[] {
  const last = life.showings.at(-1);
  const first = life.showings.find(({ exchange }) => exchange.operation === last?.exchange.operation);
  return [...(last?.labels ?? [])].flatMap(([label, times]) =>
    uuid.test(label) && times > Math.max(1, first?.labels.get(label) ?? 0)
      ? [leftOn(life, label, `the last reply shows it ${times} times`)]
      : [],
  );
}

/** Private labels that the run was allowed to put on, and that the last reply shows, unlike the first. */
function privateIn(life: Life, history: History): Left[] {
  const owner = tenantsOf(deploymentIn(history)).find(({ name }) => name === life.tenant);
  const [first, last] = [life.showings[0], life.showings.at(-1)];
  return (owner ? privatesOf(owner) : []).flatMap(({ id, name }) => {
    const isShown = (showing: typeof last) => showing?.labels.has(id.toLowerCase()) || showing?.labels.has(`=${name}`);
    const putOn = history.exchanges.some((exchange) => {
      const write = labelWriteOf(exchange.operation, exchange.params);
      return (
        write?.act === 'apply' &&
        write.label.toLowerCase() === id.toLowerCase() &&
        holderKey(write.holder) === holderKey(life.holder) &&
        askedBy(exchange, history).tenant?.name === life.tenant &&
        succeeded(exchange)
      );
    });
    return putOn && isShown(last) && !isShown(first)
      ? [leftOn(life, id, 'it is private, its application succeeded, and the last reply shows it')]
      : [];
  });
}
