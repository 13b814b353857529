/** A URL, or a command that has one, without the query of a presigned URL: a signature is long, expires, and says nothing. */
export const withoutSignature = (text: string): string =>
  text.replaceAll(/\?[^\s"']*\bsig(?:nature)?=[^\s"']*/gi, '?…');
