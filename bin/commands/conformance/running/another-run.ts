import type { Ticket } from '../../../../conformance/journal/turn.ts';

/** The run that one has to wait for, in words. */
export const anotherRun = ({ pid, host, since }: Ticket): string =>
  `Another run on the same records, process ${pid} of ${host}, is going on since ${since}`;
