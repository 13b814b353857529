/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Indents JSON. Other text stays as it is. */
export const prettyJson = (text: string): string => JSON.stringify(jsonOrUndefined(text), null, 2) ?? text;
