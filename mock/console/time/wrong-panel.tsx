import { useState } from 'react';
import { control, type WrongWay } from '../control/control.ts';
import { useAction, useRead, useWrong } from '../control/reads.ts';
import { Button } from '../parts/buttons.tsx';
import { Form, Input } from '../parts/form.tsx';
import { Facts, Problem, Section } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';

const seenIn = ({ sees, does }: WrongWay) => withShortIds(sees ?? does);
const isNamed = (words: readonly string[], { id, rule, does }: WrongWay) =>
  words.every((word) => `${id} ${rule} ${does}`.toLowerCase().includes(word));

/** One rule that the mock breaks on purpose, to see whether a client or a monitor notices. */
export function WrongPanel() {
  const { data: wrong = null } = useWrong();
  const { data: ways = [] } = useRead(['wrong ways'], control.wrongWays);
  const [id, setId] = useState('');
  const { run, failure } = useAction(control.keepRules);
  const typed = wrong?.id ?? id;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const having = words.length === 0 ? [] : ways.filter((way) => isNamed(words, way));
  // Those whose id begins with the text come first.
  having.sort((a, b) => Number(b.id.startsWith(typed)) - Number(a.id.startsWith(typed)));
  const chosen = ways.find((way) => way.id === typed);
  const choose = (way: WrongWay, button: Element) => {
    // The list ends with the choice, and would take the focus with it.
    button.closest('.card')?.querySelector('input')?.focus();
    setId(way.id);
  };
  const breakIt = async () => {
    if (chosen !== undefined) return control.breakRule(chosen.id);
    // Where none matches, that is said already.
    if (having.length > 0) throw new Error('Choose one of the ways that are listed.');
  };
  return (
    <Section title="Wrong on purpose" className={wrong === null ? 'on-screen' : undefined}>
      <p className="quiet lead">
        The mock breaks one rule of the contract and keeps all others. Would your client, check or monitor notice?
      </p>
      <div className="card stack">
        {wrong === null ? (
          <Form inline verb="Break the rule" act={breakIt}>
            <Input
              label={`Way of being wrong, ${ways.length > 0 ? `of ${ways.length}` : 'not loaded'}`}
              placeholder="a word or an id: site, labels/…"
              required
              size={36}
              autoComplete="off"
              value={id}
              onText={setId}
            />
          </Form>
        ) : (
          <p className="row">
            <span className="badge warn">{wrong.rule === null ? 'unusual, and right' : 'wrong on purpose'}</span>
            <span>
              {wrong.does} (<code>{wrong.id}</code>)
            </span>
            {wrong.chance < 1 && <span className="quiet">{`${wrong.chance * 100}% of requests`}</span>}
            <Button asks label="Keep all rules again" className="small last" onClick={() => void run()} />
          </p>
        )}
        {chosen && (
          <Facts
            className="facts"
            of={{
              Breaks: <code>{chosen.rule}</code>,
              'A client sees': chosen.sees === null ? undefined : withShortIds(chosen.sees),
              'Our own runs miss it': chosen.missed ?? undefined,
            }}
          />
        )}
        {!chosen && typed !== '' && (
          <div>
            <p className={having.length > 0 ? 'quiet' : 'wrong fail'} aria-live="polite">
              {having.length || 'No'} {having.length === 1 ? 'way matches' : 'ways match'}
              {having.length > 0 && ': choose one'}
            </p>
            <ul className="schema found">
              {having.map((way) => (
                <li key={way.id}>
                  <Button
                    label={way.id}
                    className="plain"
                    onClick={({ currentTarget }) => choose(way, currentTarget)}
                  />
                  <span className="under">{seenIn(way)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <Problem text={failure?.message ?? null} />
    </Section>
  );
}
