/** A text whose lines end between words. @param indent stands before each line but the first */
export const wrapped = (
  text: string,
  indent: string,
  { columns }: { readonly columns?: number | undefined },
): string => {
  const most = columns === undefined ? '' : Math.max(20, columns - indent.length);
  return text.replace(new RegExp(`(.{1,${most}})(?: +|\\n|$)`, 'g'), `$1\n${indent}`).trimEnd();
};
