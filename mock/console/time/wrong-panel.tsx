import { useState } from 'react';
import { control, type WrongWay } from '../control/control.ts';
import { useAction, useRead, useWrong } from '../control/reads.ts';
import { Button } from '../parts/buttons.tsx';
import { Input } from '../parts/form.tsx';
import { Facts, Problem, Section } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';

/** The ways that have all these words, in any order; first those whose id begins with the text. */
function waysWith(text: string, ways: readonly WrongWay[]): WrongWay[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const having = ways.filter(({ id, rule, does }) => {
    const all = `${id} ${rule} ${does}`.toLowerCase();
    return words.length > 0 && words.every((word) => all.includes(word));
  });
  return having.sort((a, b) => Number(b.id.startsWith(text)) - Number(a.id.startsWith(text)));
}

/** What is known of a way of being wrong. */
const About = ({ way: { rule, sees, missed } }: { readonly way: WrongWay }) => (
  <Facts
    className="facts listed"
    of={{
      Breaks: <code>{rule}</code>,
      'A client sees': sees === null ? undefined : withShortIds(sees),
      'Our own runs miss it': missed ?? undefined,
    }}
  />
);

/** One rule that the mock breaks on purpose, to see whether a client or a monitor notices. */
export function WrongPanel() {
  const { data: wrong = null } = useWrong();
  const { data: ways = [] } = useRead(['wrong ways'], control.wrongWays);
  const [text, setText] = useState('');
  const [isAll, showAll] = useState(false);
  const { run, failure } = useAction((act: () => Promise<void>) => act());
  const having = waysWith(text, ways);
  const shown = isAll ? having : having.slice(0, 8);
  const broken = ways.find(({ id }) => id === wrong?.id);
  return (
    <Section title="Wrong on purpose" className={wrong === null && shown.length === 0 ? 'on-screen' : undefined}>
      <p className="quiet lead">
        The mock breaks one rule of the contract and keeps all others. Would your client, check or monitor notice?
      </p>
      <div className="card stack">
        {wrong === null ? (
          <>
            <Input
              label={`Way of being wrong, ${ways.length > 0 ? `of ${ways.length}` : 'not loaded'}`}
              placeholder="words or an id: site, labels/…"
              autoComplete="off"
              value={text}
              onText={(words) => {
                setText(words);
                showAll(false);
              }}
            />
            <p className="quiet" aria-live="polite" hidden={text.trim() === ''}>
              {having.length || 'No'} {having.length === 1 ? 'way matches' : 'ways match'}
            </p>
            <ul className="found">
              {shown.map((way) => (
                <li key={way.id}>
                  <div className="row">
                    <strong>{way.does}</strong>
                    <Button
                      asks
                      label="Break it"
                      subject={way.id}
                      className="small last"
                      onClick={() => void run(() => control.breakRule(way.id))}
                    />
                  </div>
                  <code className="under">{way.id}</code>
                  <About way={way} />
                </li>
              ))}
            </ul>
            {having.length > shown.length && (
              <Button label={`Show all ${having.length}`} onClick={() => showAll(true)} />
            )}
          </>
        ) : (
          <>
            <p className="row">
              <span className="badge warn">{wrong.rule === null ? 'unusual, and right' : 'wrong on purpose'}</span>
              <span>
                {wrong.does} (<code>{wrong.id}</code>)
              </span>
              {wrong.chance < 1 && <span className="quiet">{`${wrong.chance * 100}% of requests`}</span>}
              <Button
                asks
                label="Keep all rules again"
                className="small last"
                onClick={() => void run(control.keepRules)}
              />
            </p>
            {broken && <About way={broken} />}
          </>
        )}
      </div>
      <Problem text={failure?.message ?? null} />
    </Section>
  );
}
