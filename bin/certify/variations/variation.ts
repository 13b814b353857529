import type { ServerResponse } from 'node:http';
import type { SentRequest } from '../../../conformance/certification/index.ts';
import type { Mock } from '../../../mock/index.ts';
import type { ApiReply, ApiRequest } from '../../../mock/message.ts';
import type { TenantSeed } from '../../../mock/seed/schema.ts';
import type { Trace } from '../../../mock/trace.ts';
import type { Profile } from '../../../spec/files/profile-schema.ts';
import type { OperationId, Scope } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { Values } from '../variables.ts';

/** What a client uses, known from the run in which nothing was varied. */
export interface Used {
  readonly requests: readonly SentRequest[];
  /** Those that succeeded, in the order of their first use. */
  readonly operations: readonly (OperationId | 'storage')[];
  readonly scopes: readonly Scope[];
  /** What it was told. */
  readonly values: Values;
  readonly profile: Profile | undefined;
}

/** A request on its way through the mock. */
export interface Passing {
  readonly request: ApiRequest;
  readonly trace: Trace;
}

/** The mock of one run, with the tenant and the key of its client. */
export interface Stage {
  readonly mock: Mock;
  readonly tenant: string;
  readonly keyId: string;
}

/** How the service differs in one run. */
export interface Arrangement {
  readonly seeds?: (seeds: readonly TenantSeed[]) => readonly TenantSeed[];
  readonly scopes?: readonly Scope[];
  readonly values?: (values: Values) => Values;
  /** Before the command starts. */
  readonly prepare?: (stage: Stage) => void;
  /** Before the mock sees a request. */
  readonly before?: (stage: Stage, request: ApiRequest) => void;
  readonly reshape?: (reply: ApiReply, passing: Passing) => ApiReply;
  /** What is done to the reply of a socket. */
  readonly wire?: (response: ServerResponse) => void;
}

/** One thing that goes wrong, or that the service does in another way that is just as right. */
export interface Variation {
  readonly id: string;
  readonly kind: 'fault' | 'freedom';
  readonly rule: RuleId;
  readonly title: string;
  /** Ends the sentence "npm test fails when …". @param part one of them, or all */
  readonly when: (part: string) => string;
  readonly advice: string;
  /** What it is made of, one run for all of them and, where that fails, one for each; none where it does not concern the client. */
  readonly parts: (used: Used) => readonly string[];
  readonly arrange: (parts: readonly string[], used: Used) => Arrangement;
  /** Whether a client may fail here, as long as it says so. */
  readonly mayFail?: (part: string) => boolean;
  /** A client does well to fail here: then nothing after it is tried, so each part has a run of its own. */
  readonly ends?: true;
  /** False where other data may be a reason to do something else: then what is there in the end is not compared. */
  readonly keepsState?: false;
  /** A run that is over by then in milliseconds is stopped, and judged by what it sent. */
  readonly within?: number;
  /** Some duties show only in such a run, so there is one even where it is not chosen itself. */
  readonly feeds?: true;
  /** The duty that looks at how long pauses are in it: for that it is run again, with nothing beside it. */
  readonly measures?: RuleId;
  /** What makes it happen in a test. */
  readonly test?: (part: string) => string;
}
