import { useState } from 'react';
import { control, type Key, type RateLimit } from '../control/control.ts';
import { useKeys } from '../control/reads.ts';
import { Button } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Choice, Form, Input } from '../parts/form.tsx';
import { takenProblem } from '../parts/words.ts';
import { reveal } from './reveal-dialog.tsx';
import { scopeSentences, sentences } from './scope-sentences.ts';

/** Scopes, each with what it permits as its title. Of many only their number is shown. */
export function ScopeList({ of, none }: { readonly of: readonly string[]; readonly none: string }) {
  const count = of.length === 0 ? none : `${of.length === all.length ? 'all' : `${of.length} of`} ${all.length}`;
  const isShort = of.length > 0 && of.length <= 2;
  return (
    <span className="row">
      {(isShort ? of : [count]).map((text) => (
        <code key={text} title={isShort ? sentences[text] : of.join(', ')}>
          {text}
        </code>
      ))}
    </span>
  );
}

const all = scopeSentences.map(({ scope }) => scope);

/** A rate limit of null means the default of the mock. */
type KeyChoice = Pick<Key, 'name' | 'scopes' | 'rateLimit'>;

interface KeyFormProps {
  readonly tenant: string | null;
  readonly initial: KeyChoice & Pick<Key, 'ownRateLimit'>;
  /** The name of an existing key cannot be changed. */
  readonly isNew?: boolean;
  readonly verb: string;
  readonly act: (choice: KeyChoice) => Promise<void>;
}

/** The form for the scopes and the rate limit of a key. */
export function KeyForm({ tenant, initial, isNew, verb, act }: KeyFormProps) {
  const { data: keys = [] } = useKeys(tenant);
  const taken = keys.filter(({ state }) => state !== 'REVOKED');
  const usual = keys.find(({ ownRateLimit }) => !ownRateLimit)?.rateLimit ?? { perSecond: 10, burst: 20 };
  const [name, setName] = useState(initial.name);
  const [chosen, setChosen] = useState<readonly string[]>(initial.scopes);
  /** Whether the form has asked if a key without scopes is wanted. Most people just forgot the scopes. */
  const [asked, setAsked] = useState(false);
  const isAsking = asked && chosen.length === 0;
  const toggle = (scope: string) =>
    setChosen((before) => (before.includes(scope) ? before.filter((other) => other !== scope) : [...before, scope]));
  const send = async ({ perSecond, burst }: Readonly<Record<string, string>>) => {
    const scopes = all.filter((scope) => chosen.includes(scope));
    if (scopes.length === 0 && !asked) {
      setAsked(true);
      return false;
    }
    const own = { perSecond: Number(perSecond || usual.perSecond), burst: Number(burst || usual.burst) };
    return act({ name: name.trim(), scopes, rateLimit: perSecond || burst ? own : null });
  };
  const number = (label: string, part: keyof RateLimit, min: string, step: string) => (
    <Input
      label={label}
      type="number"
      min={min}
      step={step}
      name={part}
      placeholder={String(usual[part])}
      defaultValue={initial.ownRateLimit ? initial.rateLimit?.[part] : undefined}
    />
  );
  return (
    <Form verb={isAsking ? `${verb} without scopes` : verb} act={send}>
      {isNew && (
        <Input
          label="Name"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onText={setName}
          problem={takenProblem('key', name, taken)}
        />
      )}
      <fieldset>
        <legend>Scopes</legend>
        <div className="row">
          <Button label="Select all" className="plain" onClick={() => setChosen(all)} />
          <Button label="Select none" className="plain" onClick={() => setChosen([])} />
        </div>
        <div className="sides">
          {scopeSentences.map(({ scope, sentence }) => (
            <Choice key={scope} checked={chosen.includes(scope)} onChange={() => toggle(scope)}>
              <code>{scope}</code>
              <span className="quiet under">{sentence}</span>
            </Choice>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Limit of its own, by default the mock’s</legend>
        <div className="row fields">
          {number('Requests per second', 'perSecond', '0.1', 'any')}
          {number('Burst', 'burst', '1', '1')}
        </div>
      </fieldset>
      {isAsking && (
        <p role="alert" className="alert warn">
          Without a scope the key can only read health and labels; everything else answers 403. Is that what you want?
        </p>
      )}
    </Form>
  );
}

type CreateKeyProps = Pick<KeyFormProps, 'tenant' | 'initial'> & { readonly onMade?: (id: string) => void };

/** A button for a new key, with the form for it. */
export function CreateKey({ tenant, initial, onMade }: CreateKeyProps) {
  return (
    <DialogButton label="Create key" className="primary" title={`Create a key of ${tenant}`} disabled={tenant === null}>
      <KeyForm
        tenant={tenant}
        isNew
        initial={initial}
        verb="Create key"
        act={async ({ rateLimit, ...key }) => {
          const made = await control.createKey({ tenant: tenant ?? '', ...key, ...(rateLimit && { rateLimit }) });
          onMade?.(made.id);
          reveal(`Key “${made.name}” created`, [made]);
        }}
      />
    </DialogButton>
  );
}
