import type { CheckContext } from '../check.ts';
import { expectControl } from '../expect.ts';
import { Inconclusive } from '../outcome.ts';
import type { Reply } from '../reply.ts';

/** What a start has issued, as far as it is there. */
export interface UploadTarget {
  readonly fileKey: unknown;
  readonly uploadUrl: unknown;
  readonly uploadUrlExpiresAt: unknown;
}

/** The fields of an upload target in a reply, whatever the reply is. */
export function targetIn({ json }: Pick<Reply, 'json'>): UploadTarget {
  const record = typeof json === 'object' && json !== null ? (json as Partial<UploadTarget>) : {};
  const { fileKey, uploadUrl, uploadUrlExpiresAt } = record;
  return { fileKey, uploadUrl, uploadUrlExpiresAt };
}

/** RFC 3339: a zone is part of it. Null for anything else, in ms since the epoch. */
export function parseDateTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value)) return null;
  const time = Date.parse(value.replace(' ', 'T').toUpperCase());
  return Number.isNaN(time) ? null : time;
}

/** An upload that was started for a check that is about what follows. */
export interface Started {
  readonly reply: Reply;
  readonly fileKey: string;
  readonly url: string;
}

/**
 * Starts an upload. Nothing of it is on the site until it is registered, so it is no leftover; neither are bytes sent to
 * its URL and never registered.
 * @throws Inconclusive when there is no URL to go on with
 */
export async function startUpload(
  { call }: Pick<CheckContext, 'call'>,
  site: string,
  contentType: string,
  options: Pick<NonNullable<Parameters<CheckContext['call']>[1]>, 'as'> = {},
): Promise<Started> {
  const reply = await call('startSiteFileUpload', { ...options, params: { id: site }, body: { contentType } });
  expectControl(reply, 'starting an upload');
  const { fileKey, uploadUrl } = targetIn(reply);
  if (!reply.planned && !(typeof uploadUrl === 'string' && /^https?:\/\//i.test(uploadUrl) && URL.canParse(uploadUrl)))
    throw new Inconclusive('the start of the upload gave no URL to send bytes to');
  return { reply, fileKey: String(fileKey), url: String(uploadUrl) };
}

/** A few bytes that are what their type says. */
export const someBytes = new TextEncoder().encode('partnerkit conformance check\n');
