import { rules } from '../../../spec/rules.ts';
import { control, type WrongOn, type WrongWay } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useRead, useWrong } from '../control/reads.ts';
import { hrefWith, replaceParams, useRoute } from '../navigation/route.ts';
import { Button } from '../parts/buttons.tsx';
import { Code } from '../parts/code.tsx';
import { Input } from '../parts/form.tsx';
import { Table } from '../parts/table.tsx';
import { Facts, InlineCode, ProvenanceBadge, RequestCount, Section } from '../parts/text.tsx';
import { counted, withShortIds } from '../parts/words.ts';

/** One each of a missing key, foreign data, private data, a lost write and an empty error. */
const startHere = [
  'auth/no-key-served-by-listLabels',
  'isolation/foreign-served-by-getSite',
  'labels/private-name-in-contexts',
  'labels/apply-to-conversation-not-stored',
  'errors/error-missing',
];

/** The ways that have all these words, in any order, by their rules; first those whose id begins with the text. */
function waysWith(text: string, ways: readonly WrongWay[]): WrongWay[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return ways.filter(({ id }) => startHere.includes(id));
  const having = ways.filter(({ id, rule, does, sees }) => {
    const all = `${id} ${rule} ${does} ${sees}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  having.sort((a, b) => Number(b.id.startsWith(text)) - Number(a.id.startsWith(text)));
  return [...Map.groupBy(having, ({ rule }) => rule).values()].flat();
}

/** The request that shows it, and the two replies: what a right mock answers, and what this one does. */
const partsOf = ({ sees, missed }: WrongWay) =>
  /^(.+?): (?:expected (.+?), )?got (.+)$/.exec(withShortIds(sees ?? ''))?.slice(1) ?? [
    `Our own runs miss it: ${missed}`,
  ];

/** What a client sees of a way. */
function Seen({ way }: { readonly way: WrongWay }) {
  const [request, expected, got] = partsOf(way);
  return (
    <div>
      {request}
      {got && (
        <span className="under">
          {expected && `expected ${expected}, `}got <strong className="wrong bad">{got}</strong>
        </span>
      )}
    </div>
  );
}

/** The rule that the mock breaks on purpose, and all that it can break, to see whether a client or a monitor notices. */
export default function WrongView() {
  const text = useRoute().params.get('find') ?? '';
  const { data: wrong = null } = useWrong();
  const { data: ways = [] } = useRead(['wrong ways'], control.wrongWays);
  const found = waysWith(text, ways);
  const firsts = new Map(found.toReversed().map((way) => [way.rule, way]));
  return (
    <>
      <h1>Wrong on purpose</h1>
      <p className="quiet lead">
        The mock breaks one rule of the contract and keeps all others. Would your client, check or monitor notice?
      </p>
      {wrong && <BrokenNow wrong={wrong} way={ways.find(({ id }) => id === wrong.id)} />}
      <div className="on-screen stack">
        <Input
          label={`Find a way of being wrong, ${ways.length > 0 ? `of ${ways.length}` : 'not loaded'}`}
          placeholder="words or an id: site, labels/…"
          autoComplete="off"
          value={text}
          onText={(find) => replaceParams({ find })}
        />
        <nav aria-label="Areas" className="row">
          {[...Map.groupBy(ways, ({ id }) => id.split('/', 1)[0])].toSorted().map(([area, { length }]) => (
            <a
              key={area}
              className="button small"
              href={hrefWith({ find: `${area}/` })}
              aria-current={text === `${area}/` ? 'page' : undefined}
            >
              {area} {length}
            </a>
          ))}
        </nav>
      </div>
      <Section
        title={
          text.trim() === ''
            ? 'Start here: every client should notice these'
            : `${counted(found.length, 'way')}, ${counted(firsts.size, 'rule')}`
        }
      >
        <Table
          rows={found}
          keyOf={({ id }) => id}
          none={
            ways.length > 0 && [
              'No way has all of these words. ',
              <a key="clear" href={hrefWith({ find: null })}>
                Clear
              </a>,
            ]
          }
          stateOf={({ id }) => (id === wrong?.id ? 'marked' : undefined)}
          less={['Other ways to break these rules', (way) => firsts.size > 1 && firsts.get(way.rule) !== way]}
          columns={[
            { name: 'What it does', cell: ({ does }) => does, under: ({ id }) => <code>{id}</code> },
            { name: 'What a client sees', cell: (way) => <Seen way={way} /> },
            {
              name: 'Actions',
              kind: 'actions',
              cell: ({ id }) =>
                id === wrong?.id ? (
                  <span className="badge warn">broken now</span>
                ) : (
                  <Button label="Break it" subject={id} className="small" act={() => control.breakRule(id)} />
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}

/** What the mock does wrongly now, what a client sees of it, and how to end it. */
function BrokenNow({ wrong: { id, rule, does, chance }, way }: { wrong: WrongOn; way: WrongWay | undefined }) {
  const met = journalFeed.use().filter(({ fault }) => fault === id);
  const known = rules.find((each) => each.id === rule);
  const command = `npx partnerkit mock --${rule === null ? 'habit' : 'wrong'} ${id}`;
  return (
    <section className="card" aria-label="Broken now">
      <div className="heading">
        <h2>
          <span className="badge warn">{rule === null ? 'unusual, and right' : 'broken now'}</span>{' '}
          <InlineCode text={known?.rule ?? does} /> {known && <ProvenanceBadge provenance={known.provenance} />}
        </h2>
        <Button label="Keep all rules again" className="primary" act={control.keepRules} />
      </div>
      <Facts
        className="facts"
        of={{
          'A client sees': way && <Seen way={way} />,
          'Meets it': chance < 1 ? `${chance * 100}% of requests` : undefined,
          'Requests changed': <RequestCount count={met.length} of={{ text: `(${id})` }} />,
          Way: <code>{id}</code>,
        }}
      />
      <Code text={command} subject="the command" head={<h3>From a terminal</h3>} />
      {way && way.curl.length > 0 && <Code text={way.curl.join('\n')} subject="the commands" head={<h3>See it</h3>} />}
    </section>
  );
}
