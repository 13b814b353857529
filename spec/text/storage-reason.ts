import { jsonOrUndefined } from './json-or-undefined.ts';

/**
 * Why an object store refuses, in its own words: the code and message of S3, GCS, Azure and those like them, else the first line of a plain text.
 * Without what may be a part of a signature. Runs in k6, too.
 * @returns nothing or one text of at most 200 characters
 */
export function storageReason(body: string): string[] {
  const json = Object(jsonOrUndefined(body));
  const error = Object(typeof json.error === 'object' ? json.error : json);
  const element = (name: string) => new RegExp(`<${name}>([^<]*)`, 'i').exec(body)?.[1];
  const told = [element('Code') ?? error.code, element('Message') ?? error.message ?? json.error].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  const text = told.length > 0 || /^\s*[<{["]/.test(body) ? told.map(firstLine).join(': ') : firstLine(body);
  return text === ''
    ? []
    : [
        text
          .replace(/\?\S+/g, '?…')
          .replace(/[\w+/=%~-]{24,}/g, '…')
          .slice(0, 200),
      ];
}

const firstLine = (text: string): string => text.trim().split(/[\r\n]/)[0] ?? '';
