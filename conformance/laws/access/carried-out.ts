import type { Exchange } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import type { Breach } from '../judging/law.ts';
import { type RegisterBreach, registerBreaches } from '../labels/registers.ts';

/** Changes of label sets that are explained by writes which must not change anything: refused ones, and those of another tenant. */
export const carriedOut = (
  history: History,
  culprits: (culprit: Exchange, breach: RegisterBreach) => boolean,
): Breach[] =>
  registerBreaches(history).filter((breach) => breach.culprit !== null && culprits(breach.culprit, breach));
