import { operations } from '../../../spec/operations.ts';
import type { Asked } from './tamper.ts';

/** Refusals because the tenant of the key has no such record. */
export const elsewhere = /^(unknown|foreign)-/;

/** A tenant by its name, or relative to the key of a request. */
export type Owner = string | 'its own' | 'the other';

export const ownerOf = (owner: Owner, { key }: Pick<Asked, 'key'>): string | undefined =>
  owner === 'its own' ? key?.tenant : owner === 'the other' ? otherOf(key?.tenant) : owner;

export const otherOf = (tenant: string | undefined): string => (tenant === 'acme' ? 'globex' : 'acme');

/** Whether the request has a key that is not revoked. */
export const usable = ({ key }: Asked): boolean => key !== undefined && !key.revoked;

/** Whether the key lacks a scope that the operation needs. */
export const lacksScope = ({ id, key }: Asked): boolean =>
  id !== null && id !== 'storage' && !operations[id].scopes.every((scope) => key?.scopes.includes(scope));

/** Whether the length of the body is not announced. */
export const isChunked = ({ request }: Asked): boolean => request.headers['content-length'] === undefined;
