import type { Answered, Asked } from '../../../mock/proof/tampering/tamper.ts';

/** Whether the request was refused because the tenant of the key has no such record. */
export const isElsewhere = (refused: Answered['refused']): boolean => /^(unknown|foreign)-/.test(refused ?? '');

export const otherOf = (tenant: string | undefined): string => (tenant === 'acme' ? 'globex' : 'acme');

/** Whether the request names a closed conversation. */
export const isClosed = ({ params }: Asked): boolean => params.id?.startsWith('c0000002') ?? false;

/** Whether the request has a key that is not revoked. */
export const usable = ({ key }: Asked): boolean => key !== undefined && !key.revoked;
