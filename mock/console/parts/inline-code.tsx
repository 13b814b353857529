/** Renders the `code` and **emphasis** that texts of the contract and the journal contain. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
    const place = `${i}${part}`;
    if (part.startsWith('`')) return <code key={place}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={place}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
