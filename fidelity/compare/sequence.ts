import type { Ask } from '../../conformance/client/ask.ts';
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

export type Sequence = ReturnType<typeof beginSequence>;

/** One sequence on both sides, which learns what of the one stands for what of the other. */
export function beginSequence(sides: readonly [OpenSide, OpenSide], roles: Roles) {
  const sent: Asked[] = [];
  return {
    /** Null where one side has no record, key or upload for the words of the step. */
    async ask(made: Step): Promise<Asked | null> {
      const started = sent.findLast(
        ({ step, a, b }) => step.operation === 'startSiteFileUpload' && succeeded(a) && succeeded(b),
      );
      const step = made.file === 'started' ? { ...made, record: started?.step.record ?? '' } : made;
      const [sendA, sendB] = sides.map((side, i) => sending(side, step, started?.[i === 0 ? 'a' : 'b']));
      if (!sendA || !sendB) return null;
      const [a, b] = await Promise.all([sendA(), sendB()]);
      if (!a || !b) return null;
      const isAnswered = [a, b].every(({ status }) => status !== null && status !== 429);
      const asked = { step, a, b, found: isAnswered ? differences(replyOf(a), replyOf(b), roles) : null };
      sent.push(asked);
      return asked;
    },

    /** Takes off the labels that are on. */
    async end(): Promise<void> {
      const takeOff = async ({ bench, during }: OpenSide, side: 'a' | 'b') => {
        const last = new Map<string, Ask>();
        for (const { [side]: exchange } of sent) {
          const { operation, params } = exchange;
          const write = labelWriteOf(operation, params);
          if (write === null || !succeeded(exchange)) continue;
          const name = JSON.stringify([write.holder, write.label]);
          const remove = labelOperations[write.holder.kind].remove;
          if (write.act === 'apply') last.set(name, { operation: remove, params });
          else last.delete(name);
        }
        for (const ask of last.values()) await during(bench.scene.send(ask));
      };
      await Promise.all([takeOff(sides[0], 'a'), takeOff(sides[1], 'b')]);
    },
  };
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
