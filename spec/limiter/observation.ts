/**
 * One request as its client saw it. The gateway decided it somewhere between `sentAt` (not sent before) and `doneAt` (answered by
 * then), in milliseconds of one clock that never goes back. `status`: of the reply, 0 where none came. `operation`: what was asked
 * for, where requests of several kinds are mixed.
 */
export type Observation = {
  readonly sentAt: number;
  readonly doneAt: number;
  readonly status: number;
  readonly operation?: string | undefined;
};
