import { type ReactNode, useState } from 'react';
import type { RateLimit } from '../control/control-types.ts';
import { useAction } from '../control/use-action.ts';
import { FormActions } from '../dialogs/form-actions.tsx';
import { InputField } from '../fields/input-field.tsx';
import { Problem } from '../parts/problem.tsx';
import { scopeSentences } from './scope-sentences.ts';

const all = scopeSentences.map(({ scope }) => scope);

interface KeyChoice {
  readonly name: string;
  readonly scopes: string[];
  /** Null means the default of the mock. */
  readonly rateLimit: RateLimit | null;
}

interface KeyFormProps {
  readonly initial: KeyChoice;
  /** Whether the form asks for a name. The name of an existing key cannot be changed. */
  readonly named: boolean;
  readonly verb: string;
  readonly act: (choice: KeyChoice) => Promise<void>;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}

/** The form for the scopes and the rate limit of a key. */
export function KeyForm({ initial, named, verb, act, onCancel, children }: KeyFormProps) {
  const [name, setName] = useState(initial.name);
  const [chosen, setChosen] = useState<readonly string[]>(initial.scopes);
  const [own, setOwn] = useState(initial.rateLimit !== null);
  const [limit, setLimit] = useState(initial.rateLimit ?? { perSecond: 10, burst: 20 });
  /** Whether the form has asked if a key without scopes is wanted. Most people just forgot the scopes. */
  const [asked, setAsked] = useState(false);
  const { run, problem } = useAction(act);
  const toggle = (scope: string) =>
    setChosen((before) => (before.includes(scope) ? before.filter((other) => other !== scope) : [...before, scope]));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const scopes = all.filter((scope) => chosen.includes(scope));
        if (scopes.length === 0 && !asked) {
          setAsked(true);
          return;
        }
        void run({ name: name.trim(), scopes, rateLimit: own ? limit : null });
      }}
    >
      {children}
      {named && <InputField label="Name" required maxLength={100} autoComplete="off" value={name} onText={setName} />}
      <fieldset>
        <legend>Scopes</legend>
        <div className="row">
          <button type="button" className="plain" onClick={() => setChosen(all)}>
            Select all
          </button>
          <button type="button" className="plain" onClick={() => setChosen([])}>
            Select none
          </button>
        </div>
        {scopeSentences.map(({ scope, sentence, operations }) => (
          <label key={scope} className="choice">
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              <code>{scope}</code> {sentence}
              {operations.length > 0 && <span className="quiet under">{operations.join(', ')}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Limit</legend>
        <label className="choice">
          <input type="checkbox" checked={own} onChange={(event) => setOwn(event.target.checked)} />
          <span>A limit of its own in place of the mock’s default</span>
        </label>
        {own && (
          <div className="fields">
            <InputField
              label="Requests per second"
              type="number"
              min="0.1"
              step="any"
              required
              value={limit.perSecond}
              onText={(text) => setLimit({ ...limit, perSecond: Number.parseFloat(text) })}
            />
            <InputField
              label="Burst"
              type="number"
              min="1"
              step="1"
              required
              value={limit.burst}
              onText={(text) => setLimit({ ...limit, burst: Number.parseFloat(text) })}
            />
          </div>
        )}
      </fieldset>
      <Problem text={problem} />
      {asked && chosen.length === 0 && (
        <p role="alert" className="warning">
          Without a scope the key can only read health and labels; everything else answers 403. Is that what you want?
        </p>
      )}
      <FormActions verb={asked && chosen.length === 0 ? `${verb} without scopes` : verb} onCancel={onCancel} />
    </form>
  );
}
