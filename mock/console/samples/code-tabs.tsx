import { shared } from '../control/shared.ts';
import { Code } from '../parts/code.tsx';
import { Select } from '../parts/form.tsx';
import { codeSample, type Language, languages, type SampleRequest } from './code-samples.ts';

/** The language that was chosen last. The next request is shown in it too. */
const language = shared<Language>('curl');

/** The same request as a command and as tests. */
export function CodeTabs({ request }: { readonly request: SampleRequest }) {
  const chosen = language.use();
  const select = (
    <Select
      label="Language"
      className="row"
      value={chosen}
      onText={(name) => language.set(name as Language)}
      options={languages}
    />
  );
  return <Code text={codeSample(chosen, request)} subject="the code" head={select} />;
}
