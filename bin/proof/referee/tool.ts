/** A program that judges deployments, and what it complained of. */

import type { Target } from '../../../spec/files/target.ts';

/** A deployment that listens, and what may be known of it. */
export interface Served {
  readonly url: string;
  /** A key with every scope. */
  readonly key: string;
  /** A file of our OpenAPI document, with examples and links. */
  readonly document: string;
  /** A collection for Postman with a request for each operation and the ids of this deployment. */
  readonly collection: string;
  /** As the mock describes itself. */
  readonly target: Target;
  /** A folder for files of its own. */
  readonly folder: string;
}

/** What a tool says is wrong. The same fault gets the same words in each run. */
export interface Complaint {
  /** `PUT /v1/site/{id}/label/{labelId}`, or another name of a request. */
  readonly at: string;
  readonly what: string;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** How it was set up, and how it judges. */
  readonly how: string;
  /** What it cannot see by design, said first and in its favour. */
  readonly blind: string;
  /** Whether it knows how to wait for a limiter. Others meet none, except in the defects of limiters. */
  readonly waits?: true;
  judge(served: Served, seed: number): Promise<readonly Complaint[]>;
}
