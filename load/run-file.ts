import type { OperationId } from '../spec/generated/operations.ts';
import type { Limit } from '../spec/limiter/limit.ts';

/** A request is given up after this time, so that none is under way when a run ends. */
export const requestTimeoutMs = 10_000;

/** A request that a script sends. */
export interface PlannedRequest {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** A record that can carry the label, with the requests that put the label on it and take it off. */
export interface LabelledRecord {
  readonly name: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly apply: PlannedRequest;
  readonly remove: PlannedRequest;
}

export interface RunKey {
  readonly label: string;
  readonly secret: string;
  readonly limit: Limit;
  /** Requests that change nothing and that the key may send. */
  readonly probes: readonly PlannedRequest[];
}
