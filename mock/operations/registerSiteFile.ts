import { operation } from '../operation.ts';
import { refuse } from '../refusal.ts';

/** Step 3 of the upload flow, which puts the file on the site. */
export const registerSiteFile = operation('registerSiteFile', ({ record: site, body, tenant, now, permits }) => {
  const file = tenant.files.get(body.fileKey);
  // A fileKey belongs to the site for which it was started. For other sites it does not exist.
  if (file?.site !== site.id) {
    refuse('unknown-file-key', `No file ${body.fileKey} was started for site ${site.id}.`, body.fileKey);
  }
  if (file.registered !== null && !permits('register-twice')) {
    refuse('register-twice', `File ${file.fileKey} is registered already.`);
  }
  if (file.stored === null && !permits('register-before-put')) {
    refuse('register-before-put', `The bytes of file ${file.fileKey} were never PUT to its upload URL.`);
  }
  // If a profile permits a second registration, the file keeps the values of the first one.
  file.registered ??= { name: body.name, size: file.stored?.size ?? 0, at: now };
  const { name, size, at } = file.registered;
  return {
    fileKey: file.fileKey,
    siteId: site.id,
    name,
    contentType: file.contentType,
    size,
    createdAt: new Date(at).toISOString(),
  };
});
