import { type Exchange, refused, succeeded } from '../history/exchange.ts';
import { inverseOf } from '../journal/inverse-of.ts';
import { type BorrowedLabel, debtName, type WriteJournal } from '../journal/write-journal.ts';
import type { Ask } from '../situations/asking/situation.ts';
import type { Deployment } from '../target/deployment.ts';
import { type Holder, holderKey, type LabelWrite } from '../target/holder.ts';
import { holdersOf, ownerOf, privatesOf, sparesOf } from '../target/records.ts';

/** A write of a label, and whether what it applies is carried already. */
interface DoorWrite extends LabelWrite {
  readonly carried?: true;
}

/** All writes of labels go through the door: it journals each write before the request and undoes the write when its situation ends. */
export interface Door {
  /**
   * Resolves when what the write could change is journaled, so that it may be sent.
   * @param tenant of the key that is shown
   */
  open(write: DoorWrite, tenant: string | undefined, situation: string): Promise<void>;
  /** Reports the outcome of the write. A write that is opened and never closed may still arrive. */
  close(write: DoorWrite, tenant: string | undefined, exchange: Exchange): void;
  /** Undoes what the situation may have changed. */
  giveBack(situation: string): Promise<void>;
  /** At the end of a run: waits until no write can arrive any more that was not answered, and undoes it once more. */
  settle(): Promise<void>;
  /** What could not be undone, or may come back, in words. */
  readonly left: readonly string[];
}

interface DoorOptions {
  readonly deployment: Deployment;
  readonly journal: WriteJournal;
  readonly send: (ask: Ask, situation: string) => Promise<Exchange>;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds after which a request that was not answered cannot arrive any more. */
  readonly timeout: number;
}

interface Loan {
  /** The entry as it was journaled last. */
  entry: BorrowedLabel & { readonly until: number };
  /** Resolves when it is in the journal: no write of it is sent before, whoever opened it. */
  journaled: Promise<void>;
  readonly users: Set<string>;
  /** Writes under way. */
  open: number;
  /** False once it was undone, and nothing could have done it since. */
  dirty: boolean;
  /** Some write may have been carried out by what was answered, or not answered. */
  accepted: boolean;
  /** When the last write was answered, and until when one that was not answered may still arrive. */
  doneAt: number;
  unknownUntil: number;
}

/** `until` in the journal is later than needed by this much, so that not every write needs a line of its own. */
const slack = 5_000;

export function createDoor({ deployment, journal, send, now, sleep, timeout }: DoorOptions): Door {
  const loans = new Map<string, Loan>();
  const unsettled: Loan[] = [];
  const left: string[] = [];

  /** Null where nothing can be undone, because nothing can change or nobody knows what was there. */
  const debtOf = (
    { act, holder, label, carried: there }: DoorWrite,
    tenant: string | undefined,
  ): BorrowedLabel | null => {
    const owner = ownerOf(deployment, holder, tenant);
    const record = [deployment.tenant, deployment.stranger].find((one) => one?.name === owner);
    if (owner === undefined || record === undefined) return null;
    if (there) return { tenant: owner, holder, label, inverse: 'apply' };
    const same = ({ id }: { readonly id: string }) => id.toLowerCase() === label.toLowerCase();
    const spare = sparesOf(record).find(same);
    // The id as the target file writes it: another spelling of it may be refused.
    if (spare !== undefined) return act === 'apply' ? { tenant: owner, holder, label: spare.id } : null;
    const hidden = privatesOf(record).find(same);
    if (hidden === undefined) return act === 'apply' ? { tenant: owner, holder, label } : null;
    const carried = carries(record, hidden.on, holder);
    if (act === 'remove') return carried ? { tenant: owner, holder, label: hidden.id, inverse: 'apply' } : null;
    // Whether others carry it is only known where the target file says which ones do.
    return carried || !hidden.complete ? null : { tenant: owner, holder, label: hidden.id };
  };

  const find = (write: DoorWrite, tenant: string | undefined) => {
    const debt = debtOf(write, tenant);
    return debt === null ? undefined : loans.get(debtName(debt));
  };

  /** Loans that this write undoes. A key of another tenant undoes nothing, whatever it is answered: both may have a record of that id. */
  const undoneBy = (write: LabelWrite, tenant: string | undefined) =>
    [...loans.values()].filter(
      ({ entry }) =>
        entry.tenant === tenant &&
        (entry.inverse ?? 'remove') === write.act &&
        holderKey(entry.holder) === holderKey(write.holder) &&
        entry.label.toLowerCase() === write.label.toLowerCase(),
    );

  /** Sends the inverse. Null when it was acknowledged, else why not. */
  async function undo({ entry, accepted }: Loan, situation: string): Promise<string | null> {
    const inverse = inverseOf(entry, deployment);
    if ('missing' in inverse) return inverse.missing;
    const exchange = await send(inverse.ask, situation).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (typeof exchange === 'string') return exchange;
    if (succeeded(exchange)) return null;
    // A label whose write was refused is not on the record, and its removal may be refused too.
    if (!accepted && refused(exchange)) return null;
    return `${exchange.method} ${inverse.ask.operation}: ${exchange.status ?? exchange.failure ?? 'no reply'}`;
  }

  const report = ({ entry: { label, holder, tenant, inverse } }: Loan, why: string) =>
    left.push(`label ${label} ${inverse ? 'missing from' : 'on'} ${holderKey(holder)} of ${tenant}: ${why}`);

  return {
    left,
    async open(write, tenant, situation) {
      const debt = debtOf(write, tenant);
      if (debt === null) return;
      const name = debtName(debt);
      let loan = loans.get(name);
      const arrives = now() + timeout;
      if (loan === undefined) {
        const entry = { ...debt, until: arrives + slack };
        const journaled = journal.borrowed(entry);
        loan = {
          entry,
          journaled,
          users: new Set(),
          open: 0,
          dirty: true,
          accepted: false,
          doneAt: 0,
          unknownUntil: 0,
        };
        loans.set(name, loan);
      } else if (arrives > loan.entry.until) {
        loan.entry = { ...debt, until: arrives + slack };
        loan.journaled = journal.borrowed(loan.entry);
      }
      loan.users.add(situation);
      loan.open++;
      loan.dirty = true;
      await loan.journaled;
    },
    close(write, tenant, exchange) {
      const { status, doneAt, sentAt } = exchange;
      for (const loan of undoneBy(write, tenant))
        if (
          exchange.credential === 'key' &&
          succeeded(exchange) &&
          loan.open === 0 &&
          sentAt >= loan.doneAt &&
          sentAt >= loan.unknownUntil
        )
          loan.dirty = false;
      const loan = find(write, tenant);
      if (loan === undefined) return;
      loan.open = Math.max(0, loan.open - 1);
      loan.doneAt = Math.max(loan.doneAt, doneAt);
      if (!refused(exchange) && status !== 429) loan.accepted = true;
      if (status === null || status === 502 || status === 504)
        loan.unknownUntil = Math.max(loan.unknownUntil, doneAt, sentAt + timeout);
    },
    async giveBack(situation) {
      for (const [name, loan] of loans) {
        if (!loan.users.delete(situation) || loan.users.size > 0) continue;
        loans.delete(name);
        // A write that was opened and never closed was cut off, and may still arrive.
        if (loan.open > 0) loan.unknownUntil = Math.max(loan.unknownUntil, loan.entry.until);
        const sentAt = now();
        const why = loan.dirty ? await undo(loan, situation) : null;
        if (why !== null) report(loan, why);
        else if (sentAt < loan.unknownUntil) unsettled.push(loan);
        // Another situation may have opened it meanwhile: then it is that one's to return.
        else if (!loans.has(name)) await journal.returned(loan.entry);
      }
    },
    async settle() {
      const last = Math.max(0, ...unsettled.map(({ unknownUntil }) => unknownUntil));
      if (unsettled.length > 0) await sleep(Math.max(0, last - now()) + 1);
      for (const loan of unsettled.splice(0)) {
        const why =
          now() < loan.unknownUntil
            ? 'a write of it was not answered, and may still arrive'
            : await undo(loan, 'settle');
        if (why !== null) report(loan, why);
        else await journal.returned(loan.entry);
      }
    },
  };
}

const carries = (record: Parameters<typeof holdersOf>[0], on: readonly string[], holder: Holder) =>
  holdersOf(record).some((known) => holderKey(known.holder) === holderKey(holder) && on.includes(known.field));
