import { admissionOf } from '../../spec/limiter/admission.ts';
import { type Judgement, judge } from '../../spec/limiter/judge.ts';
import type { Limit } from '../../spec/limiter/limit.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import type { LimitPlan } from './scenario-plan.ts';

interface OwnJudgement {
  keep(observation: Observation): void;
  /** The judgement; undefined when no samples were kept. */
  end(): Judgement | undefined;
}

/** How many of the pieces in between are judged, of those with a 429: each costs time, and the limiter stays the same. */
const mostBetween = 4;

/**
 * What the owner of a key can say of it in the end, at little cost: a VU of k6 judges 500 requests in a tenth of a second, in
 * which it sends nothing, and an hour's requests of a whole fleet fill any memory. So nothing is judged before the end, and
 * only what can prove something is kept: the first piece, the last, and some with a 429 between them.
 */
export function ownJudgement(plan: Pick<LimitPlan, 'keys' | 'mustShow'>, limit: Limit): OwnJudgement {
  // A minute of a key that is paced shows whether its rate is right; whoever drives one key can afford to look at all of it.
  const pieceSize = plan.keys === 'all' ? Math.ceil(60 * limit.perSecond) : 5000;
  const keptPieces: Observation[][] = [];
  let before: Observation[] = [];
  let current: Observation[] = [];

  function put(piece: Observation[]): void {
    const telling = keptPieces.length === 0 || piece.some(({ status }) => admissionOf(status) === 'throttled');
    if (piece.length > 0 && telling && keptPieces.length <= mostBetween) keptPieces.push(piece);
  }

  return {
    keep(observation) {
      current.push(observation);
      if (current.length < pieceSize) return;
      put(before);
      [before, current] = [current, []];
    },
    end() {
      // The rest may be a few samples only, so the rest is judged together with the piece before.
      const last = [...before, ...current];
      const pieces = last.length > 0 ? [...keptPieces, last] : keptPieces;
      let all: Judgement | undefined;
      for (const [position, piece] of pieces.entries()) {
        const judgement = judge(limit, piece, { startedFull: position === 0, mustShow: plan.mustShow });
        if (judgement.verdict === 'too-lax' || judgement.verdict === 'too-strict') return judgement;
        all = all === undefined ? judgement : together(all, judgement);
      }
      return all;
    },
  };
}

/** Joins two pieces that prove nothing: the run could have shown every deviation that one of the pieces could. */
function together(a: Judgement, b: Judgement): Judgement {
  const missed = a.missed.filter((what) => b.missed.includes(what));
  const better = a.missed.length <= b.missed.length ? a : b;
  if (missed.length > 0) return { ...better, missed };
  return { ...better, missed, verdict: 'pass' };
}
