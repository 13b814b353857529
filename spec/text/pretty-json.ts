import { jsonOrUndefined } from './json-or-undefined.ts';

/** Indents JSON. Other text stays as it is. */
export const prettyJson = (text: string): string => JSON.stringify(jsonOrUndefined(text), null, 2) ?? text;
