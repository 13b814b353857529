import type { Ask } from '../client/ask.ts';
import { type Exchange, refused, succeeded } from '../history/exchange.ts';
import { undoLabel } from '../journal/undo-label.ts';
import { type BorrowedLabel, entryKey, labelWords, type WriteJournal } from '../journal/write-journal.ts';
import { type Deployment, keysWith } from '../target/deployment.ts';
import { type Holder, holderKey, type LabelWrite, labelOperations } from '../target/holder.ts';
import { holdersOf, isSpare, knownHolder, privatesOf, sparesOf, tenantsOf } from '../target/records.ts';

export type WriteGuard = ReturnType<typeof createWriteGuard>;

interface WriteGuardOptions {
  readonly deployment: Deployment;
  readonly journal: WriteJournal;
  readonly send: (ask: Ask) => Promise<Exchange>;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds after which an unanswered request cannot arrive any more. */
  readonly timeout: number;
}

/** A label on a holder that scripts have written, and that was not undone since then. */
type Change = ReturnType<typeof newChange>;
const newChange = (entry: BorrowedLabel) => ({
  /** The latest journal entry. */
  entry: { ...entry, until: 0 },
  /** Resolves when the entry is in the journal. Every write of the label waits for it. */
  journaled: Promise.resolve(),
  /** Number of writes under way. */
  underWay: 0,
  /** Whether any write has succeeded since the label was taken off again, judging by the replies. */
  accepted: 'no' as 'no' | 'perhaps' | 'yes',
  /** An unanswered write may arrive until this time. */
  unknownUntil: 0,
});

/** Milliseconds that are added to `until` in the journal, so that not every write needs a line of its own. */
const slack = 5_000;

/** How often an undo is tried at the end: one of several backends may refuse it, or a firewall all of them for some seconds. */
const lastTries = 6;
/** Milliseconds between the first two, and then twice as long each time. */
const lastPause = 1_000;

/**
 * Takes part in every write of a label: journals the write before it is sent, and undoes all at the end of the run. Each write comes with the tenant of
 * the key of its request.
 */
export function createWriteGuard(options: WriteGuardOptions) {
  const { deployment, journal, send, now, sleep, timeout } = options;
  const changes = new Map<string, Change>();
  const left: string[] = [];

  /** The journal entry for a write; null where the write changes nothing, or where the earlier state is unknown. */
  const entryOf = ({ act, holder: written, label }: LabelWrite, tenant: string | undefined): BorrowedLabel | null => {
    // The deployment may refuse another spelling of an id than that of the target file.
    const { holder, tenant: owner } = knownHolder(deployment, written, tenant) ?? {};
    const record = [deployment.tenant, deployment.stranger].find((one) => one?.name === owner);
    if (owner === undefined || holder === undefined || record === undefined) return null;
    const hasThisId = ({ id }: { readonly id: string }) => id.toLowerCase() === label.toLowerCase();
    const spare = sparesOf(record).find(hasThisId);
    if (spare !== undefined) return act === 'apply' ? { tenant: owner, holder, label: spare.id } : null;
    const hidden = privatesOf(record).find(hasThisId);
    if (hidden === undefined) return act === 'apply' ? { tenant: owner, holder, label } : null;
    const carried = carries(record, hidden.on, holder);
    if (act === 'remove') return carried ? { tenant: owner, holder, label: hidden.id, inverse: 'apply' } : null;
    // Without a complete list in the target file, this holder may carry the label already.
    return carried || !hidden.complete ? null : { tenant: owner, holder, label: hidden.id };
  };

  /** Sends the inverse request. Returns null on success, else why not, and whether another try may succeed. */
  async function sendInverse({ entry, accepted }: Change) {
    // For private labels, and for those that the run made up, a write whose reply is not known was none.
    const owner = tenantsOf(deployment).find(({ name }) => name === entry.tenant);
    const isKnown = owner !== undefined && isSpare(owner, entry.label);
    const mayBeThere = accepted === 'yes' || (accepted === 'perhaps' && isKnown);
    const problem = await undoLabel(entry, deployment, send, mayBeThere);
    // A 500 now and then is documented, a faulty deployment may refuse now and then, and at the end nothing else uses the limit.
    return problem && { ...problem, again: problem.status !== null && problem.status !== 429 };
  }

  /** A write that is still under way when no script is was cut off, and may still arrive. */
  const expectLateWrites = () => {
    for (const change of changes.values())
      if (change.underWay > 0) change.unknownUntil = Math.max(change.unknownUntil, change.entry.until);
  };

  /** Undoes all writes, those to one record one after the other. @param again whether what could not be undone is tried once more */
  async function undoAll(again: (problem: Awaited<ReturnType<typeof sendInverse>>) => boolean): Promise<void> {
    expectLateWrites();
    const records = Map.groupBy(changes, ([, { entry }]) => `${entry.tenant} ${holderKey(entry.holder)}`);
    const undone = [...records.values()].map(async (ofRecord) => {
      for (const [name, change] of ofRecord) {
        const sentAt = now();
        const problem = await sendInverse(change);
        const isUndone = problem === null && sentAt >= change.unknownUntil;
        if (!isUndone && again(problem)) continue;
        changes.delete(name);
        if (problem !== null) left.push(`${labelWords(change.entry)}: ${problem.why}`);
        else if (isUndone) await journal.returned(change.entry);
      }
    });
    await Promise.all(undone);
  }

  return {
    /** Labels that could not be undone, in words. */
    left,
    /** Whether the write can be undone, or leaves nothing: it applies no label that exists. */
    canUndo(write: LabelWrite, tenant: string | undefined): boolean {
      const entry = entryOf(write, tenant);
      if (entry === null || entry.inverse === 'apply') return true;
      const { remove } = labelOperations[entry.holder.kind];
      const undoers = tenantsOf(deployment).filter(({ name }) => name === entry.tenant || name === tenant);
      const scopes = deployment.operation(remove)?.scopes;
      if (scopes !== undefined && undoers.some((one) => keysWith(one, scopes).length > 0)) return true;
      const named = tenantsOf(deployment).flatMap((one) => [...sparesOf(one), ...privatesOf(one)]);
      return !named.some(({ id }) => digitsOf(entry.label).includes(digitsOf(id)));
    },
    /** Resolves when the write is journaled and may be sent. */
    async before(write: LabelWrite, tenant: string | undefined): Promise<void> {
      const borrowed = entryOf(write, tenant);
      if (borrowed === null) return;
      const name = entryKey(borrowed);
      const change = changes.get(name) ?? newChange(borrowed);
      changes.set(name, change);
      const until = now() + timeout;
      if (until > change.entry.until) {
        change.entry = { ...borrowed, until: until + slack };
        change.journaled = journal.borrowed(change.entry);
      }
      change.underWay++;
      await change.journaled;
    },
    /** Takes the reply to the write. A write without such a call may still arrive. */
    after(write: LabelWrite, tenant: string | undefined, exchange: Exchange): void {
      const { status, doneAt, sentAt } = exchange;
      const [change, applied] = [write, { ...write, act: 'apply' } as const].map((one) => {
        const entry = entryOf(one, tenant);
        return entry === null ? undefined : changes.get(entryKey(entry));
      });
      const isTakenOff = write.act === 'remove' && succeeded(exchange) && applied?.underWay === 0;
      // No other write can put it on any more.
      if (isTakenOff && sentAt >= applied.unknownUntil) applied.accepted = 'no';
      if (change === undefined) return;
      change.underWay = Math.max(0, change.underWay - 1);
      if (succeeded(exchange)) change.accepted = 'yes';
      else if (change.accepted === 'no' && !refused(exchange) && status !== 429) change.accepted = 'perhaps';
      if (status === null || status === 502 || status === 504)
        change.unknownUntil = Math.max(change.unknownUntil, doneAt, sentAt + timeout);
    },
    /** Undoes what can be undone at once, so that a last look can tell whether it is. */
    undo: () => undoAll(() => true),
    /**
     * Undoes all writes. Waits first until no unanswered write can arrive any more.
     * @param isHurried the run was interrupted: nothing is waited for, and what may change again stays in the journal
     */
    async settle(isHurried: boolean): Promise<void> {
      expectLateWrites();
      const last = Math.max(0, ...[...changes.values()].map(({ unknownUntil }) => unknownUntil));
      if (!isHurried && last > now()) await sleep(last - now() + 1);
      for (let tried = 1; changes.size > 0; tried++) {
        await undoAll((problem) => !isHurried && tried < lastTries && problem?.again === true);
        if (changes.size > 0) await sleep(lastPause * 2 ** (tried - 1));
      }
    },
  };
}

/** What two spellings of a UUID have in common. */
const digitsOf = (id: string) => id.toLowerCase().replaceAll(/[^0-9a-f]/g, '');

const carries = (record: Parameters<typeof holdersOf>[0], on: readonly string[], holder: Holder) =>
  holdersOf(record).some((known) => holderKey(known.holder) === holderKey(holder) && on.includes(known.field));
