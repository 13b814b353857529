import type { ServerResponse } from 'node:http';
import type { ProfilePatch } from '../../../conformance/profile.ts';
import type { FaultSpec } from '../../../mock/arguments/shapes.ts';
import type { Mock } from '../../../mock/index.ts';
import type { ApiReply, ApiRequest } from '../../../mock/message.ts';
import type { TenantSeed } from '../../../mock/seed/schema.ts';
import type { Profile } from '../../../spec/files/profile-schema.ts';
import type { OperationId, Scope } from '../../../spec/operations.ts';
import type { RuleId } from '../../../spec/rules.ts';
import type { SentRequest } from '../traffic.ts';
import type { Values } from '../variables.ts';

/** What a client uses, known from the runs without variations. */
export interface Used {
  readonly requests: readonly SentRequest[];
  /** Operations that succeeded, in the order of their first use. */
  readonly operations: readonly (OperationId | 'storage')[];
  readonly scopes: readonly Scope[];
  /** The values that the client got in environment variables. */
  readonly values: Values;
  readonly profile: Profile | undefined;
}

/** How the mock differs. */
export interface Arrangement {
  /** What its profile says besides. */
  readonly profile?: ProfilePatch;
  readonly seeds?: (seeds: readonly TenantSeed[]) => readonly TenantSeed[];
  readonly scopes?: readonly Scope[];
  readonly values?: (values: Values) => Values;
  readonly faults?: readonly FaultSpec[];
  /** Called before the mock handles a request. */
  readonly before?: (mock: Mock, request: ApiRequest, keyId: string) => void;
  readonly reshape?: ((reply: ApiReply, operation: OperationId | 'storage') => ApiReply) | undefined;
  /** Changes how the reply is sent. */
  readonly wire?: (response: ServerResponse) => void;
}

/** How the mock differs, part by part. */
export type Parts = Readonly<Record<string, Arrangement>>;

/** A fault, or another behaviour that the contract allows as well (a freedom). */
export interface Variation {
  readonly id: string;
  readonly kind: 'fault' | 'freedom';
  readonly rule: RuleId;
  /** Completes the sentence "the client fails when …". @param part without it, words for any part */
  readonly when: (part?: string) => string;
  readonly advice: string;
  /** What a client does that the variation affects. By default, a request of it succeeds. */
  readonly needs?: string;
  /** Its parts. All go into one run; if that fails, each part has a run of its own. Empty if the variation does not affect the client. */
  readonly parts: (used: Used) => Parts;
  /** Whether a client may fail here, as long as it reports the failure. */
  readonly mayFail?: (part: string) => boolean;
  /** A client should fail here. A failure ends the run, so each part has a run of its own. */
  readonly ends?: true;
  /** The id that the client is given in another form. */
  readonly gives?: keyof Values;
  /** False if the client may act differently because of the changed data. Then the states are not compared. */
  readonly keepsState?: false;
}

/** Variations by their ids. */
export type Variations = Readonly<Record<string, Omit<Variation, 'id' | 'kind'>>>;

/** The parts with these names, each arranged in the same way. */
export const eachOf = <Part extends string>(
  names: readonly Part[],
  arrange: (part: Part, n: number) => Arrangement,
): Parts => Object.fromEntries(names.map((part, n) => [part, arrange(part, n)]));
