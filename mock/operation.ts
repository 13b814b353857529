import type { operations as api } from '../spec/generated/api.ts';
import type { OperationId } from '../spec/operations.ts';
import type { RefusalCase } from './refusal.ts';
import type { Tenant } from './store/tenant.ts';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

/** Path parameters of an operation, by the names of the contract. */
type PathParameters<Id extends OperationId> = api[Id] extends { parameters: { path: infer Path } }
  ? Readonly<Path>
  : Readonly<Record<string, never>>;

/** Request body of an operation, as validated against the contract. */
type RequestBody<Id extends OperationId> = api[Id] extends { requestBody: infer Body } ? Json<Body> : undefined;

/** What an operation answers when it succeeds. */
type SuccessBody<Id extends OperationId> = api[Id] extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;

/** One request that passed the gateway, its scopes and its validation. */
interface Call<Id extends OperationId> {
  readonly tenant: Tenant;
  readonly params: PathParameters<Id>;
  readonly body: RequestBody<Id>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A new UUID. */
  newId(): string;
  /** Whether this deployment lets through what is usually refused; its reply then has the status it uses for that. */
  permits(refusalCase: RefusalCase): boolean;
  /** The upload URL of a file and when it expires, in ms since the epoch. */
  presign(file: { fileKey: string; contentType: string }): { url: string; expiresAt: number };
}

/** What an operation does: its reply's body, with status, method, path, scopes and schemas left to the contract. */
export type Operation<Id extends OperationId> = (call: Call<Id>) => SuccessBody<Id>;

/** Declares the operation of that id; refusals are thrown above its one state change. */
export function operation<Id extends OperationId>(_id: Id, run: Operation<Id>): Operation<Id> {
  return run;
}
