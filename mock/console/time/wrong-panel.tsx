import { useState } from 'react';
import { control, type WrongWay } from '../control/control.ts';
import { useAction, useRead, useWrong } from '../control/reads.ts';
import { Button } from '../parts/buttons.tsx';
import { Form, Input } from '../parts/form.tsx';
import { Facts, InlineCode, Problem, Section } from '../parts/text.tsx';
import { withShortIds } from '../parts/words.ts';

/** What a client sees, of `GET /v1/labels with the key acme/none: expected 403, got 200`. */
function seen(sees: string | null) {
  if (!sees) return {};
  const [, request, expected, got = sees] = /^(.+?): (?:expected (.+?), )?got (.+)$/s.exec(sees) ?? [];
  const coded = (text: string) => <InlineCode text={withShortIds(text).replaceAll(/…[\da-f]{4}/g, '`$&`')} />;
  return {
    Request: request && <InlineCode text={request.replace(/^\S+ \S+/, '`$&`')} />,
    Expected: expected && coded(expected),
    Got: coded(got),
  };
}

const has = ({ id, rule, does }: WrongWay, text: string) =>
  `${id} ${rule} ${does}`.toLowerCase().includes(text.toLowerCase());

/** One rule that the mock breaks on purpose, to see whether a client or a monitor notices. */
export function WrongPanel() {
  const { data: wrong = null } = useWrong();
  const { data: listed } = useRead(['wrong ways'], control.wrongWays);
  const [id, setId] = useState('');
  const { run, failure } = useAction(control.keepRules);
  const ways = listed?.ways ?? [];
  const typed = wrong?.id ?? id;
  const having = typed === '' ? [] : ways.filter((way) => has(way, typed));
  const chosen = ways.find((way) => way.id === typed) ?? (having.length === 1 ? having[0] : undefined);
  const way = chosen && chosen.id !== typed ? <code>{chosen.id}</code> : undefined;
  const breakIt = (percent = '') => {
    if (chosen !== undefined) return control.breakRule(chosen.id, percent ? Number(percent) / 100 : undefined);
    const parts = typed.split(/[^A-Za-z\d]+/);
    const sharing = (way: WrongWay) => parts.filter((part) => has(way, part)).length;
    const near = having.length > 0 ? having : ways.toSorted((a, b) => sharing(b) - sharing(a));
    const some = near.slice(0, 3).map((way) => `\`${way.id}\``);
    throw new Error(`${having.length || 'No'} ways match \`${typed}\`: try ${some.join(', ')}`);
  };
  return (
    <Section title="Wrong on purpose">
      <p className="quiet lead">
        The mock breaks one rule of the contract and keeps all others. Would your client, check or monitor notice?
      </p>
      <div className="card stack">
        {wrong === null ? (
          <Form inline verb="Break the rule" act={({ percent }) => breakIt(percent)}>
            <Input
              label={`Way of being wrong, of ${ways.length}`}
              offers={ways.map((way) => [way.id, way.does])}
              placeholder="a word or an id: site, labels/…"
              required
              size={36}
              autoComplete="off"
              value={id}
              onText={setId}
            />
            <Input
              label="Percent of requests"
              type="number"
              min="0.01"
              max="100"
              step="any"
              placeholder="100"
              name="percent"
            />
          </Form>
        ) : (
          <p className="row">
            <span className="badge warn">{wrong.rule === null ? 'unusual, and right' : 'wrong on purpose'}</span>
            <span>
              {wrong.does} (<code>{wrong.id}</code>)
            </span>
            {wrong.chance < 1 && <span className="quiet">{`${wrong.chance * 100}% of requests`}</span>}
            <Button label="Keep all rules again" className="small last" onClick={() => void run()} />
          </p>
        )}
        {chosen && (
          <Facts className="facts" of={{ Way: way, Breaks: <code>{chosen.rule}</code>, ...seen(chosen.sees) }} />
        )}
      </div>
      <Problem text={failure?.message ?? null} />
    </Section>
  );
}
