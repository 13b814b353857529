/** Every way of being wrong, as the list of the command and of the control API shows it. */
import { type Kind, kindOf } from './kinds.ts';
import { type Shown, shownIn } from './shown.ts';
import { type WrongWay, wrongWays } from './wrong.ts';

export { curlLines } from './shown.ts';
export { habit, habits, wrong } from './wrong.ts';

/** A way, with what a client sees of it or why our own runs miss it, and the name that tools have for faults of its kind. */
export interface ListedWay extends WrongWay, Pick<Shown, 'requests'> {
  readonly sees: string | null;
  readonly missed: string | null;
  readonly kind: Kind | null;
}

export async function listedWays(): Promise<readonly ListedWay[]> {
  const shown = await shownIn();
  return wrongWays.map((way) => {
    const { sees = null, missed = null, requests = [] } = shown[way.id] ?? {};
    return { ...way, sees, missed, requests, kind: kindOf(way) ?? null };
  });
}
