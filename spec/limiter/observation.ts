/**
 * One request as its client saw it. The gateway decided it somewhere between `sentAt` (not sent before) and `doneAt` (answered by
 * then), in milliseconds of one clock that never goes back. `status`: of the reply, 0 where none came.
 */
export type Observation = { readonly sentAt: number; readonly doneAt: number; readonly status: number };
