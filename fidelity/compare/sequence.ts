import { type Exchange, objectIn, succeeded } from '../../conformance/history/exchange.ts';
import { labelOperations, labelWriteOf } from '../../conformance/target/holder.ts';
import { type Difference, differences } from '../alike.ts';
import type { Roles } from '../roles.ts';
import type { OpenSide } from '../side.ts';
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
  readonly #sides: readonly [OpenSide, OpenSide];
  readonly #roles: Roles;
  readonly #sent: Asked[] = [];

  constructor(sides: readonly [OpenSide, OpenSide], roles: Roles) {
    this.#sides = sides;
    this.#roles = roles;
  }

  /** Null where one side has no record, key or upload for the words of the step. */
  async ask(made: Step): Promise<Asked | null> {
    const started = this.#sent.findLast(
      ({ step, a, b }) => step.operation === 'startSiteFileUpload' && succeeded(a) && succeeded(b),
    );
    const step = made.file === 'started' ? { ...made, record: started?.step.record ?? '' } : made;
    const [sendA, sendB] = this.#sides.map((side, i) => sending(side, step, started?.[i === 0 ? 'a' : 'b']));
    if (!sendA || !sendB) return null;
    const [a, b] = await Promise.all([sendA(), sendB()]);
    if (!a || !b) return null;
    const isAnswered = [a, b].every(({ status }) => status !== null && status !== 429);
    const found = isAnswered ? differences(replyOf(a), replyOf(b), this.#roles) : null;
    const asked = { step, a, b, found };
    this.#sent.push(asked);
    return asked;
  }

  /** Takes off the labels that are on. */
  async end(): Promise<void> {
    await Promise.all(
      this.#sides.map(async ({ bench, during }, i) => {
        const last = new Map<string, () => Promise<Exchange>>();
        for (const { [i === 0 ? 'a' : 'b']: exchange } of this.#sent) {
          const { operation, params } = exchange;
          const write = labelWriteOf(operation, params);
          if (write === null || !succeeded(exchange)) continue;
          const name = JSON.stringify([write.holder, write.label]);
          const remove = { operation: labelOperations[write.holder.kind].remove, params };
          if (write.act === 'apply') last.set(name, () => bench.scene.send(remove));
          else last.delete(name);
        }
        for (const send of last.values()) await during(send());
      }),
    );
  }
}

const replyOf = ({ status, headers, body }: Exchange) => ({ status: status ?? 0, headers, body });

/** @param started the upload that was started last */
function sending({ bench, during }: OpenSide, step: Step, started: Exchange | undefined) {
  if (step.operation === 'storage') {
    const contentType = step.change === 'none' ? bench.deployment.uploadContentType : 'x-partnerkit/other';
    const put = { contentType, bytes: new TextEncoder().encode('hello') };
    return started && (() => during(bench.scene.put(started, put)));
  }
  const ask = askFor(bench, step, started && objectIn(started).fileKey);
  return ask === null ? undefined : () => during(bench.scene.send(ask));
}
