/** The same text in the other letter case: in capitals, or in small letters if it is in capitals. */
export const otherCase = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

const uuidAtEnd = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id without what may not count: its letter case, and zeros before a number. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^0+(?=\d+$)/, '');

/** The same id with its UUID in the other letter case: `ovaid-8A…` for `ovaid-8a…`. */
export const idInOtherCase = (id: string): string => id.replace(uuidAtEnd, otherCase);
