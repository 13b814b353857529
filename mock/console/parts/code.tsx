import { useMemo } from 'react';
import { jsonMarkup } from '../../../spec/report-page/code.ts';
import { jsonOrUndefined } from '../../../spec/text/json-or-undefined.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeProps {
  /** JSON has colours and parts that fold. Other text is shown as it is. */
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly subject: string;
}

/** Code, a command or a body, with a copy button. */
export function Code({ text, subject }: CodeProps) {
  const value = useMemo(() => jsonOrUndefined(text), [text]);
  const isTree = typeof value === 'object' && value !== null;
  return (
    <div className="code">
      <CopyButton
        text={isTree ? JSON.stringify(value, null, 2) : text}
        label="Copy"
        subject={subject}
        className="small"
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls long code with the arrow keys */}
      <section className="code-text" aria-label={subject} tabIndex={0}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the function escapes every text */}
        {isTree ? <div dangerouslySetInnerHTML={{ __html: jsonMarkup(value).markup }} /> : text}
      </section>
    </div>
  );
}
