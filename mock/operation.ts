import type { operations as api } from '../spec/generated/api.ts';
import type { OperationId } from '../spec/operations.ts';
import type { RefusalCase } from './refusal.ts';
import type { ClientSeed, LabelSeed } from './seed/schema.ts';
import type { ClientSiteLink, Conversation, LabelHolder, Site } from './store/records.ts';
import type { Tenant } from './store/tenant.ts';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

/** Request body of an operation, as validated against the contract. */
type RequestBody<Id extends OperationId> = api[Id] extends { requestBody: infer Body } ? Json<Body> : undefined;

/** What an operation answers when it succeeds. */
type SuccessBody<Id extends OperationId> = api[Id] extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;

/** The record that an operation is about, which its name says. */
type RecordOf<Id extends OperationId> = Id extends `${string}Conversation${string}`
  ? Conversation
  : Id extends `${string}ClientSite${string}`
    ? ClientSiteLink
    : Id extends `${string}Site${string}`
      ? Site
      : Id extends `${string}Client`
        ? ClientSeed
        : null;

/** One request that passed all checks before the operation. */
interface Call<Id extends OperationId> {
  readonly tenant: Tenant;
  readonly record: RecordOf<Id>;
  /** The label in the path. To remove another than a public one changes nothing, where the profile permits it. */
  readonly label: Id extends `apply${string}` ? LabelSeed : LabelSeed | undefined;
  readonly body: RequestBody<Id>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A new UUID. */
  newId(): string;
  /**
   * Whether the profile permits what is usually refused. The reply then has the status that the profile gives for it.
   * @param sought the ids that were not found
   */
  permits(refusalCase: RefusalCase, ...sought: readonly string[]): boolean;
  /** The upload URL of a file and when it expires, in ms since the epoch. */
  presign(file: { fileKey: string; contentType: string }): { url: string; expiresAt: number };
}

/** The body of a reply that shows a record. It changes only when the labels of the record do. */
export class About<Body> {
  readonly holder: LabelHolder;
  readonly body: () => Body;

  constructor(holder: LabelHolder, body: () => Body) {
    this.holder = holder;
    this.body = body;
  }
}

/** The code of an operation. It returns the body of the reply; the contract has status, method, path, scopes and schemas. */
export type Operation<Id extends OperationId> = (call: Call<Id>) => SuccessBody<Id> | About<SuccessBody<Id>>;

/** Declares the operation with that id. It must throw refusals before it changes the state. */
export function operation<Id extends OperationId>(_id: Id, run: Operation<Id>): Operation<Id> {
  return run;
}
