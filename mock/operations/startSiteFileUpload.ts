import { operation } from '../operation.ts';

/** Step 1 of the upload flow, which issues the URL. The file is not on the site until it is registered. */
export const startSiteFileUpload = operation(
  'startSiteFileUpload',
  ({ record: site, body, tenant, newId, presign }) => {
    const file = { fileKey: newId(), contentType: body.contentType };
    const { url, expiresAt } = presign(file);
    tenant.files.set(file.fileKey, { ...file, site: site.id, urlExpiresAt: expiresAt, stored: null, registered: null });
    return { fileKey: file.fileKey, uploadUrl: url, uploadUrlExpiresAt: new Date(expiresAt).toISOString() };
  },
);
