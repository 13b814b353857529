import { InlineCode } from '../parts/inline-code.tsx';

/** Renders Markdown as far as the contract uses it: paragraphs, code and emphasis. */
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
