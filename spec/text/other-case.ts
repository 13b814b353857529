/** The same text in the other letter case: in capitals, or in small letters if it is in capitals. */
export const otherCase = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
