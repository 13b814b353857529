/** A text whose lines end between words; a terminal that does not know its size has 0 columns. @param indent stands before each line but the first */
export const wrapped = (
  text: string,
  indent: string,
  { columns }: { readonly columns?: number | undefined },
): string => {
  const most = columns ? Math.max(20, columns - indent.length) : '';
  return text.replace(new RegExp(`(.{1,${most}})(?: +|\\n|$)`, 'g'), `$1\n${indent}`).trimEnd();
};
