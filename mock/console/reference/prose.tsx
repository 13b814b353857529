import { InlineCode } from '../parts/inline-code.tsx';

/** Paragraphs, which with code and emphasis is all the Markdown that the contract uses. */
export function Prose({ text }: { readonly text: string }) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => (
      <p key={paragraph}>
        <InlineCode text={paragraph} />
      </p>
    ));
}
