/** Paragraphs with `code` and **emphasis**, which is all the Markdown that the contract uses. */
export function Prose({ text }: { readonly text: string }) {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.map((paragraph) => (
    <p key={paragraph}>
      {paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
        const place = `${i}${part}`;
        if (part.startsWith('`')) return <code key={place}>{part.slice(1, -1)}</code>;
        if (part.startsWith('**')) return <strong key={place}>{part.slice(2, -2)}</strong>;
        return part;
      })}
    </p>
  ));
}
