import { operation } from '../operation.ts';
import { refuse } from '../refusal.ts';
import { siteOf } from '../store/find.ts';

/** A value that the Content-Type header of the PUT can carry. S3 takes 8 KB of headers in all. */
const headerValue = /^ *[\x21-\x7e][\x20-\x7e]*$/;
const maxLength = 4_096;

/** Step 1 of the upload flow, which issues the URL. The file is not on the site until it is registered. */
export const startSiteFileUpload = operation('startSiteFileUpload', ({ params, body, tenant, newId, presign }) => {
  if (body.contentType.length > maxLength || !headerValue.test(body.contentType)) {
    const message = `body.contentType must fit into the Content-Type header of the PUT: visible ASCII and blanks, at most ${maxLength} characters.`;
    refuse('malformed-content-type', message);
  }
  const site = siteOf(tenant, params.id);
  const file = { fileKey: newId(), contentType: body.contentType };
  const { url, expiresAt } = presign(file);
  tenant.files.set(file.fileKey, { ...file, site: site.id, urlExpiresAt: expiresAt, stored: null, registered: null });
  return { fileKey: file.fileKey, uploadUrl: url, uploadUrlExpiresAt: new Date(expiresAt).toISOString() };
});
