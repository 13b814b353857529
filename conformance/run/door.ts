import { type Exchange, refused, succeeded } from '../history/exchange.ts';
import type { Ask } from '../situations/situation.ts';
import type { Deployment } from '../target/deployment.ts';
import { holderKey, holderParams, type LabelWrite, labelOperations } from '../target/holder.ts';
import { keysWith } from '../target/keys.ts';
import { ownerOf } from '../target/records.ts';
import type { Borrowed, WriteJournal } from '../write-journal.ts';

/** All writes of labels go through here: each is journaled before it is sent, and undone when its situation ends. */
export interface Door {
  /**
   * Resolves when what the write could change is journaled, so that it may be sent.
   * @param tenant of the key that is shown
   */
  open(write: LabelWrite, tenant: string | undefined, situation: string): Promise<void>;
  /** Tells what became of it. */
  close(write: LabelWrite, exchange: Exchange): void;
  /** Takes off again what the situation may have put on. */
  giveBack(situation: string): Promise<void>;
  /** Labels that could not be taken off again, in words. */
  readonly left: readonly string[];
}

export interface DoorOptions {
  readonly deployment: Deployment;
  readonly journal: WriteJournal;
  readonly send: (ask: Ask, situation: string) => Promise<Exchange>;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds after which a request that was not answered cannot arrive any more. */
  readonly timeout: number;
}

interface Loan {
  readonly entry: Borrowed;
  readonly situation: string;
  /** False once it was taken off, and nothing could have put it on since. */
  dirty: boolean;
  /** A write that puts it on succeeded, or nobody knows whether it did. */
  applied: boolean;
  /** When the last writes were sent and done. */
  appliedAt: number;
  /** When the last write that was not answered was given up; it may still arrive. */
  unansweredAt: number | null;
}

export function createDoor(options: DoorOptions): Door {
  const { deployment, journal, send, now, sleep, timeout } = options;
  const loans = new Map<string, Loan>();
  const left: string[] = [];

  const nameOf = ({ holder, label }: LabelWrite, tenant: string) =>
    `${tenant} ${holderKey(holder)} ${label.toLowerCase()}`;

  return {
    left,
    async open(write, tenant, situation) {
      const owner = ownerOf(deployment, write.holder, tenant);
      // Nobody has such a record, or the label cannot be on it: nothing can be undone.
      if (owner === undefined || write.act !== 'apply') return;
      const name = nameOf(write, owner);
      const known = loans.get(name);
      if (known !== undefined) {
        known.dirty = true;
        return;
      }
      const entry = { tenant: owner, holder: write.holder, label: write.label };
      await journal.borrowed(entry);
      loans.set(name, { entry, situation, dirty: true, applied: false, appliedAt: now(), unansweredAt: null });
    },
    close(write, exchange) {
      for (const loan of loans.values()) {
        const same =
          holderKey(loan.entry.holder) === holderKey(write.holder) &&
          loan.entry.label.toLowerCase() === write.label.toLowerCase();
        if (!same) continue;
        const unanswered = exchange.status === null || exchange.status >= 500;
        if (write.act === 'apply' && (unanswered || succeeded(exchange))) loan.applied = true;
        if (write.act === 'apply') loan.appliedAt = Math.max(loan.appliedAt, exchange.doneAt);
        if (write.act === 'apply' && unanswered) loan.unansweredAt = exchange.doneAt;
        if (
          write.act === 'remove' &&
          succeeded(exchange) &&
          exchange.sentAt >= loan.appliedAt &&
          loan.unansweredAt === null
        )
          loan.dirty = false;
      }
    },
    async giveBack(situation) {
      for (const [name, loan] of loans) {
        if (loan.situation !== situation) continue;
        loans.delete(name);
        const why = loan.dirty ? await undo(loan) : null;
        if (why === null) await journal.returned(loan.entry);
        else left.push(`label ${loan.entry.label} on ${holderKey(loan.entry.holder)} of ${loan.entry.tenant}: ${why}`);
      }
    },
  };

  async function undo({
    entry: { tenant, holder, label },
    situation,
    applied,
    unansweredAt,
  }: Loan): Promise<string | null> {
    const operation = deployment.operation(labelOperations[holder.kind].remove);
    if (operation === undefined) return 'this deployment has no operation that takes it off';
    const owner = [deployment.tenant, deployment.stranger].find((one) => one?.name === tenant);
    const [key] = owner === undefined ? [] : keysWith(owner, operation.scopes);
    if (key === undefined) return `the target file has no key of ${tenant} with ${operation.scopes.join(' and ')}`;
    // A write that was not answered may still arrive: what is taken off before it would be on again after it.
    if (unansweredAt !== null) await sleep(Math.max(0, unansweredAt + timeout - now()));
    const exchange = await send({ operation: operation.id, params: holderParams(holder, label), key }, situation).catch(
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (typeof exchange === 'string') return exchange;
    if (succeeded(exchange)) return null;
    // What was never put on cannot be taken off: no deployment need accept that.
    if (!applied && refused(exchange)) return null;
    return exchange.status === null
      ? (exchange.failure ?? 'no reply')
      : `${exchange.method} ${operation.path} answered ${exchange.status}`;
  }
}
