import { type Exchange, objectIn, succeeded } from '../../conformance/history/exchange.ts';
import { labelOperations, labelWriteOf } from '../../conformance/target/holder.ts';
import { type Difference, differences } from '../alike.ts';
import type { Roles } from '../roles.ts';
import type { OpenSide } from './side.ts';
import { askFor, type Step } from './steps.ts';

/** A step with both replies. */
export interface Asked {
  readonly step: Step;
  readonly a: Exchange;
  readonly b: Exchange;
  /** Null where one of them did not answer, or asked to come back later. */
  readonly found: readonly Difference[] | null;
}

/** One sequence on both sides, which learns what of the one stands for what of the other. */
export class Sequence {
  readonly #halves: readonly [Half, Half];
  readonly #roles: Roles;
  /** The record of the upload that was started last. */
  #startedOn = '';

  constructor([a, b]: readonly [OpenSide, OpenSide], roles: Roles) {
    this.#halves = [new Half(a), new Half(b)];
    this.#roles = roles;
  }

  /** Null where one side has no record, key or upload for the words of the step. */
  async ask(made: Step): Promise<Asked | null> {
    const step = made.file === 'started' ? { ...made, record: this.#startedOn } : made;
    const [sendA, sendB] = this.#halves.map((half) => half.sending(step));
    if (!sendA || !sendB) return null;
    const [a, b] = await Promise.all([sendA(), sendB()]);
    if (!a || !b) return null;
    for (const [i, exchange] of [a, b].entries()) this.#halves[i]?.learn(exchange);
    if (step.operation === 'startSiteFileUpload' && this.#halves.every(({ started }) => started !== undefined))
      this.#startedOn = step.record;
    const isAnswered = [a, b].every(({ status }) => status !== null && status !== 429);
    return { step, a, b, found: isAnswered ? differences(replyOf(a), replyOf(b), this.#roles) : null };
  }

  /** Takes off the labels that are on. */
  async end(): Promise<void> {
    await Promise.all(this.#halves.map((half) => half.end()));
  }
}

const replyOf = ({ status, headers, body, doneAt }: Exchange) => ({ status: status ?? 0, headers, body, at: doneAt });

/** A sequence on one side: which upload was started last, and which labels were put on. */
class Half {
  readonly #side: OpenSide;
  readonly #puts = new Map<string, Exchange>();
  started: Exchange | undefined;

  constructor(side: OpenSide) {
    this.#side = side;
  }

  sending(step: Step): (() => Promise<Exchange | null>) | undefined {
    const { bench, during } = this.#side;
    const { started } = this;
    if (step.operation === 'storage') {
      const contentType = step.change === 'none' ? bench.deployment.uploadContentType : 'x-partnerkit/other';
      const put = { contentType, bytes: new TextEncoder().encode('hello') };
      return started && (() => during(bench.scene.put(started, put)));
    }
    const ask = askFor(bench, step, started && objectIn(started).fileKey);
    return ask === null ? undefined : () => during(bench.scene.send(ask));
  }

  learn(exchange: Exchange): void {
    if (!succeeded(exchange)) return;
    const { operation, params } = exchange;
    if (operation === 'startSiteFileUpload') this.started = exchange;
    const write = labelWriteOf(operation, params);
    const name = JSON.stringify([write?.holder, write?.label]);
    if (write?.act === 'apply') this.#puts.set(name, exchange);
    else if (write !== null) this.#puts.delete(name);
  }

  async end(): Promise<void> {
    const { bench, during } = this.#side;
    for (const { params, operation } of this.#puts.values()) {
      const write = labelWriteOf(operation, params);
      if (write === null) continue;
      await during(bench.scene.send({ operation: labelOperations[write.holder.kind].remove, params }));
    }
  }
}
