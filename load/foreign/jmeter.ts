import { ConfigurationError } from '../../spec/files/configuration-error.ts';

type Fields = Readonly<Record<string, string>>;

/** How many requests a transaction has; undefined of what is none. */
const samplesIn = ({ responseMessage = '' }: Fields): string | undefined =>
  /^Number of samples in transaction : (\d+)/.exec(responseMessage)?.[1];

/** A transaction, or a sampler that only runs a script or waits: both have no URL. */
export const sendsNothing = (fields: Fields): boolean =>
  samplesIn(fields) !== undefined || fields.URL === '' || fields.URL === 'null';

/**
 * "Generate parent sample" writes a transaction in place of its requests.
 * @throws ConfigurationError if a transaction's thread wrote no request since it began
 */
export function assertRequestsShown(
  records: readonly { readonly fields: Fields; readonly line: number }[],
  name: string,
): void {
  const lastOf = new Map<string, number>();
  for (const { fields, line } of records) {
    const { threadName = '', timeStamp } = fields;
    if (Number(samplesIn(fields) ?? 0) > 0 && !((lastOf.get(threadName) ?? 0) >= Number(timeStamp)))
      throw new ConfigurationError([
        `${name}:${line}: is a transaction without its requests; switch off "Generate parent sample" of its Transaction Controller`,
      ]);
    if (!sendsNothing(fields)) lastOf.set(threadName, Number(timeStamp));
  }
}
