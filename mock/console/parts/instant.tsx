const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

interface InstantProps {
  /** An ISO date-time; null is shown as "never". */
  readonly at: string | null;
  /** Shows milliseconds and leaves out the day. */
  readonly precise?: boolean;
}

/** A point in time in the reader's time zone. The tooltip has the exact value. */
export function Instant({ at, precise = false }: InstantProps) {
  if (at === null) return <span className="quiet">never</span>;
  return (
    <time dateTime={at} title={at}>
      {(precise ? clock : day).format(new Date(at))}
    </time>
  );
}
