import { availableParallelism, loadavg } from 'node:os';

/** On a machine this busy, for each of its cores, a run that measures may rightly end without a verdict. */
const busy = 2;

/** Whether a block of a page that measures ended without a verdict, and the machine is the reason. */
export const isUndecided = (printed: string): boolean =>
  /\b(?:cannot tell|could not tell|inconclusive)\b/i.test(printed) &&
  (loadavg()[0] ?? 0) > busy * availableParallelism();
