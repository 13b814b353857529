import { useId } from 'react';
import { shared } from '../control/shared.ts';
import { Code } from '../parts/code.tsx';
import { codeSample, type Language, languages, type SampleRequest } from './code-samples.ts';

/** The language that was chosen last. The next request is shown in it too. */
const language = shared<Language>('curl');

/** The same request as a command and as tests. @param script stands in the place of the command, if the request is only its first step */
export function CodeTabs({ request, script }: { readonly request: SampleRequest; readonly script?: string | null }) {
  const chosen = language.use();
  const id = useId();
  const tabs = (
    <div role="radiogroup" aria-label="Language">
      {languages.map((name) => (
        <label key={name} className="button small">
          <input type="radio" name={id} checked={name === chosen} onChange={() => language.set(name)} />
          {name}
        </label>
      ))}
    </div>
  );
  const text = (chosen === 'curl' && script) || codeSample(chosen, request);
  return <Code text={text} subject="the code" head={tabs} />;
}
