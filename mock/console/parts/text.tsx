import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, createElement, type ReactNode } from 'react';
import { isOperationId, type Provenance } from '../../../spec/operations.ts';
import { capital } from '../../../spec/report-page/markup.ts';
import { instantInWords } from '../../../spec/text/time-in-words.ts';
import { ControlFailure, type Exchange } from '../control/control.ts';
import { journalFeed } from '../control/journal-feed.ts';
import { useClock } from '../control/reads.ts';
import { href } from '../navigation/route.ts';
import { describeAge, describeCount } from './words.ts';

/** Renders the `code` and **emphasis** that texts of the contract and the journal contain. Operations and places in this console are links. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
    const place = `${i}${part}`;
    const code = part.slice(1, -1);
    const to = isOperationId(code) ? href('reference', { operation: code }) : /^\/_mock(#.*)/.exec(code)?.[1];
    if (part.startsWith('`'))
      return to ? createElement('a', { key: place, href: to }, code) : <code key={place}>{code}</code>;
    if (part.startsWith('**')) return <strong key={place}>{part.slice(2, -2)}</strong>;
    return part;
  });
}

/** An error message. Screen readers read it when it appears. */
export const Problem = ({ text }: { readonly text: string | null }) => (
  <div role="alert" className="alert" hidden={text === null}>
    <InlineCode text={(text ?? '').replace(/^[a-z]+ /, capital)} />
  </div>
);

/**
 * A point in time, in UTC as in everything that the API answers. The tooltip has it in the reader's zone.
 * @param at null is shown as "never" @param clock only the time of day, below a heading that names the zone
 */
export function Instant({ at, clock = false }: { readonly at: string | null; readonly clock?: boolean }) {
  if (at === null) return <span className="quiet">never</span>;
  const local = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  return (
    <time dateTime={at} title={local} data-day={clock ? at.slice(0, 10) : undefined}>
      {clock ? at.slice(11, 19) : instantInWords(at)}
      {clock && <span className="fraction">{at.slice(19, 23)}</span>}
    </time>
  );
}

/** How long ago something was, by the mock's clock. The tooltip has the point in time. */
export function Age({ at }: { readonly at: string | null }) {
  const { data: clock } = useClock();
  if (at === null || clock === undefined) return <Instant at={at} />;
  return (
    <time className="age" dateTime={at} title={instantInWords(at)}>
      {describeAge(Date.parse(clock.now) - Date.parse(at))}
    </time>
  );
}

/** Facts with their names. Those that are undefined are left out. */
export const Facts = ({ of, className }: { readonly of: Readonly<Record<string, ReactNode>>; className: string }) => (
  <dl className={className}>
    {Object.entries(of).map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

type SectionProps = ComponentProps<'section'> & { readonly title: string; readonly beside?: ReactNode };

/** A part of a page with its heading, and beside it what can be done with it. */
export const Section = ({ title, beside, children, className }: SectionProps) => (
  <section aria-label={title} className={className}>
    <div className="heading">
      <h2>{title}</h2>
      {beside}
    </div>
    {children}
  </section>
);

/** What counts less, folded below its title with the number of its parts, or what can be. Nothing if there is none. */
export const Folded = ({ title, count, ...details }: ComponentProps<'details'> & { title: string; count: number }) =>
  count > 0 && (
    <details {...details}>
      <summary>
        {title} <span className="quiet">{count}</span>
      </summary>
      {details.children}
    </details>
  );

export const Method = ({ method }: { readonly method: string }) => (
  <span className={`method ${method.toLowerCase()}`}>{method}</span>
);

/** How many requests, as a link to them. @param of the filter of the list */
export const RequestCount = ({ count, of }: { count: number; of: Readonly<Record<string, string>> }) =>
  count === 0 ? 0 : <a href={href('requests', of)}>{describeCount(count)}</a>;

const statusKinds = ['', '', 'good', '', 'warn', 'bad'];

/** The status of a reply, or that a fault kept the reply or its end from arriving. A wrong reply is not green. */
export function StatusBadge({
  status,
  broken,
  wrong,
}: Partial<Exchange['reply']> & { status: number; wrong?: boolean }) {
  if (broken === 'dropped') return <span className="badge bad">dropped</span>;
  if (broken === 'truncated') return <span className="badge warn">{status} cut</span>;
  return <span className={`badge ${wrong ? 'bad' : statusKinds[Math.floor(status / 100)]}`}>{status}</span>;
}

export const provenanceMeanings: Readonly<Record<Provenance, string>> = {
  documented: 'the specification says so',
  reference: 'seen in the public reference pages only',
  assumed: 'this project’s judgement, where the specification is silent',
};

/** Shows where a statement of the contract comes from. */
export const ProvenanceBadge = ({ provenance }: { readonly provenance: Provenance }) => (
  <span className={`badge ${provenance}`} title={provenanceMeanings[provenance]}>
    {provenance}
  </span>
);

/** Renders the data of a query, or why there is none. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const connection = journalFeed.useConnection();
  if (query.data !== undefined) return children(query.data);
  if (query.error instanceof ControlFailure) return <Problem text={query.error.message} />;
  return <p className="quiet">{connection === 'lost' ? 'Not loaded before the mock stopped.' : 'Loading…'}</p>;
}
