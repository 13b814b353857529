/** Every way of being wrong, as the list of the command and of the control API shows it. */
import { type Kind, kindOf } from './kinds.ts';
import { shownIn } from './shown.ts';
import { type WrongWay, wrongWays } from './wrong.ts';

export { habit, habits, wrong } from './wrong.ts';

/** A way, with what a client sees of it, and the name that tools have for faults of its kind. */
export interface ListedWay extends WrongWay {
  readonly sees: string | null;
  readonly kind: Kind | null;
}

export async function listedWays(): Promise<readonly ListedWay[]> {
  const shown = await shownIn();
  return wrongWays.map((way) => ({ ...way, sees: shown[way.id]?.sees ?? null, kind: kindOf(way) ?? null }));
}
