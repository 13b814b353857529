import { type ReactNode, useState } from 'react';
import { rules } from '../../../spec/rules.ts';
import { control, type WrongWay } from '../control/control.ts';
import { useAction, useRead, useWrong } from '../control/reads.ts';
import { Button } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Input } from '../parts/form.tsx';
import { Table } from '../parts/table.tsx';
import { Folded, InlineCode, Problem, Section } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';

/** The ways that have all these words, in any order, by their rules; first those whose id begins with the text. */
function waysWith(text: string, ways: readonly WrongWay[]): Map<string, WrongWay[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const having = ways.filter(({ id, rule, does, sees }) => {
    const all = `${id} ${rule} ${does} ${sees}`.toLowerCase();
    return words.length > 0 && words.every((word) => all.includes(word));
  });
  having.sort((a, b) => Number(b.id.startsWith(text)) - Number(a.id.startsWith(text)));
  return Map.groupBy(having, ({ rule }) => rule);
}

/** The request that shows it, and the two replies: what a right mock answers, and what this one does. */
const partsOf = ({ sees, missed }: WrongWay) =>
  /^(.+?): (?:expected (.+?), )?got (.+)$/.exec(withShortIds(sees ?? ''))?.slice(1) ?? [missed];

const sentenceOf = (rule: string) => rules.find(({ id }) => id === rule)?.rule ?? rule;

type WaysProps = { readonly of: readonly WrongWay[]; readonly actions?: (way: WrongWay) => ReactNode };

/** Ways of being wrong, each with the request that shows it. */
const Ways = ({ of, actions }: WaysProps) => (
  <Table
    rows={of}
    keyOf={({ id }) => id}
    columns={[
      { name: 'What it does', cell: ({ does }) => does, under: ({ id }) => <code>{id}</code> },
      {
        name: 'Request',
        cell: (way) => (way.sees === null ? `Our own runs miss it: ${way.missed}` : partsOf(way)[0]),
      },
      { name: 'Expected', cell: (way) => partsOf(way)[1] },
      { name: 'Got', cell: (way) => <strong className="wrong bad">{partsOf(way)[2]}</strong> },
      ...(actions ? [{ name: 'Actions', kind: 'actions' as const, cell: actions }] : []),
    ]}
  />
);

/** One rule that the mock breaks on purpose, to see whether a client or a monitor notices. */
export function WrongPanel() {
  const { data: wrong = null } = useWrong();
  const { data: ways = [] } = useRead(['wrong ways'], control.wrongWays);
  const [text, setText] = useState('');
  const { run, failure } = useAction((act: () => Promise<void>) => act());
  const found = waysWith(text, ways);
  const count = [...found.values()].flat().length;
  const broken = ways.find(({ id }) => id === wrong?.id);
  const breaks = ({ id }: WrongWay) => (
    <Button
      asks
      label="Break it"
      subject={id}
      className="small"
      onClick={() => void run(() => control.breakRule(id))}
    />
  );
  return (
    <Section title="Wrong on purpose" className={wrong === null && count === 0 ? 'on-screen' : undefined}>
      <p className="quiet lead">
        The mock breaks one rule of the contract and keeps all others. Would your client, check or monitor notice?
      </p>
      <Problem text={failure?.message ?? null} />
      {wrong === null ? (
        <>
          <Input
            label={`Find a way of being wrong, ${ways.length > 0 ? `of ${ways.length}` : 'not loaded'}`}
            placeholder="words or an id: site, labels/…"
            autoComplete="off"
            value={text}
            onText={setText}
          />
          <p className="quiet" aria-live="polite" hidden={text.trim() === ''}>
            {`${count || 'No'} ${count === 1 ? 'way matches' : 'ways match'}${count > 1 ? ', by the rules that they break' : ''}`}
          </p>
          {[...found].map(([rule, some]) => (
            <Folded
              key={rule}
              title={<InlineCode text={sentenceOf(rule)} />}
              count={some.length}
              open={found.size === 1}
            >
              <Ways of={some} actions={breaks} />
            </Folded>
          ))}
        </>
      ) : (
        <>
          <p className="row">
            <span className="badge warn">{wrong.rule === null ? 'unusual, and right' : 'wrong on purpose'}</span>
            {wrong.rule === null ? wrong.does : <InlineCode text={sentenceOf(wrong.rule)} />}
            {wrong.chance < 1 && <span className="quiet">{`${wrong.chance * 100}% of requests`}</span>}
            <Button asks label="Keep all rules again" className="last" onClick={() => void run(control.keepRules)} />
          </p>
          {broken && <Ways of={[broken]} />}
          {broken && broken.curl.length > 0 && (
            <Code text={broken.curl.join('\n')} subject="the commands" head={<h3>See it</h3>} />
          )}
        </>
      )}
    </Section>
  );
}
