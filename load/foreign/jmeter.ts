import { ConfigurationError } from '../../spec/files/configuration-error.ts';

type Fields = Readonly<Record<string, string>>;

const transaction = /^Number of samples in transaction : (\d+)/;

/** A transaction, or a sampler that only runs a script or waits: both have no URL. */
export const sendsNothing = ({ URL, responseMessage = '' }: Fields): boolean =>
  transaction.test(responseMessage) || URL === '' || URL === 'null';

/**
 * "Generate parent sample" writes a transaction in place of its requests.
 * @throws ConfigurationError if a transaction has more requests than its thread wrote since it began
 */
export function assertRequestsShown(
  records: readonly { readonly fields: Fields; readonly line: number }[],
  name: string,
): void {
  const begins = new Map<string, number[]>();
  for (const { fields, line } of records) {
    const { threadName = '', timeStamp = '', responseMessage = '' } = fields;
    const earlier = begins.get(threadName) ?? [];
    begins.set(threadName, earlier);
    const count = Number(transaction.exec(responseMessage)?.[1] ?? 0);
    if (count > 0 && !((earlier.at(-count) ?? Number.NEGATIVE_INFINITY) >= Number(timeStamp)))
      throw new ConfigurationError([
        `${name}:${line}: is a transaction of ${count} requests that are not in the file; switch off "Generate parent sample" of its Transaction Controller`,
      ]);
    if (!sendsNothing(fields)) earlier.push(Number(timeStamp));
  }
}
