import { type KeyboardEvent, useId, useState } from 'react';
import { CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { codeSample, type Language, languages, type SampleRequest } from './code-samples.ts';

/** The language that was chosen last. The next request is shown in it too. */
let last: Language = 'curl';

/** The same request as a command and as tests, in tabs. */
export function CodeTabs({ request }: { readonly request: SampleRequest }) {
  const [language, setLanguage] = useState(last);
  const id = useId();
  const code = codeSample(language, request);
  const choose = (next: Language) => {
    last = next;
    setLanguage(next);
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (languages.indexOf(language) + step + languages.length) % languages.length;
    choose(languages[next] ?? 'curl');
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className="stack">
      <div className="row">
        <div role="tablist" aria-label="Language" className="row" onKeyDown={move}>
          {languages.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              className="small"
              aria-selected={name === language}
              aria-controls={id}
              tabIndex={name === language ? 0 : -1}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={code} subject="the code" className="small last" />
      </div>
      <div id={id} role="tabpanel" aria-label={language}>
        <Code text={code} subject="the code" copies={false} />
      </div>
    </div>
  );
}
