/**
 * Why an object store refuses, in its own words: the code and message of S3, GCS, Azure and those like them, else the first line of a plain text.
 * Without what may be a part of a signature. Runs in k6, too.
 * @returns nothing or one text of at most 200 characters
 */
export function storageReason(body: string): string[] {
  const value = (name: string) =>
    new RegExp(`<${name}>([^<]+)|"${name}"\\s*:\\s*"([^"]+)`, 'i').exec(body)?.slice(1).find(Boolean);
  const told = [value('code'), value('message') ?? value('error') ?? (/^\s*[<{["]/.test(body) ? '' : body)];
  const lines = told.map((text) => text?.trim().split(/[\r\n]/)[0]).filter(Boolean);
  const text = lines
    .join(': ')
    .replace(/\?\S+/g, '?…')
    .replace(/[\w+/=%~-]{24,}/g, '…');
  return text === '' ? [] : [text.slice(0, 200)];
}
