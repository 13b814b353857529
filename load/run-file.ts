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
  readonly name: 'conversation' | 'site' | 'client-site link';
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

/**
 * All that k6 gets of a target: the script computes nothing of it. Texts may have placeholders `${NAME}`, which k6 replaces from its
 * environment, so that the file has no secret.
 */
export interface RunFile {
  readonly scenario: string;
  /** The main phase. */
  readonly seconds: number;
  /** The whole run. */
  readonly plannedSeconds: number;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The keys that are driven, each by one VU. */
  readonly keys: readonly RunKey[];
  readonly labels?: {
    readonly records: readonly LabelledRecord[];
    readonly label: { readonly id: string; readonly name?: string | undefined };
  };
  readonly upload?: {
    readonly start: PlannedRequest;
    readonly register: PlannedRequest;
    readonly contentType: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly registration: Readonly<Record<string, unknown>>;
  };
  /** The certificate of the client, as PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether the deployment is on this machine or in its network, as its file storage then may be. */
  readonly near: boolean;
  /** Addresses of the proxies that requests go through. */
  readonly proxies: readonly string[];
}
