/** A program that judges deployments, and what it complained of. */

import type { Served } from './serve.ts';

/** What a tool says is wrong. The same fault gets the same words in each run. */
export interface Complaint {
  /** `PUT /v1/site/{id}/label/{labelId}`, or another name of a request. */
  readonly at: string;
  readonly what: string;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** Whether it knows how to wait for a limiter. Others meet none, except in the defects of limiters. */
  readonly waits?: true;
  judge(served: Served, seed: number): Promise<readonly Complaint[]>;
}
