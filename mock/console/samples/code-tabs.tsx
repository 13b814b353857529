import { useId, useState } from 'react';
import { CopyButton } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { codeSample, type Language, languages, type SampleRequest } from './code-samples.ts';

/** The language that was chosen last. The next request is shown in it too. */
let last: Language = 'curl';

/** The same request as a command and as tests. */
export function CodeTabs({ request }: { readonly request: SampleRequest }) {
  const [language, setLanguage] = useState(last);
  const id = useId();
  const code = codeSample(language, request);
  const choose = (next: Language) => {
    last = next;
    setLanguage(next);
  };
  return (
    <div className="stack">
      <div className="row">
        <div role="radiogroup" aria-label="Language">
          {languages.map((name) => (
            <label key={name} className="button small">
              <input type="radio" name={id} checked={name === language} onChange={() => choose(name)} />
              {name}
            </label>
          ))}
        </div>
        <CopyButton text={code} subject="the code" className="small last" />
      </div>
      <Code text={code} subject="the code" copies={false} />
    </div>
  );
}
