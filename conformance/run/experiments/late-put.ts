import { type Exchange, succeeded } from '../../history/exchange.ts';
import type { History } from '../../history/history.ts';
import { askedBy } from '../../laws/judging/asked.ts';
import { hasLawfulBody } from '../../laws/uploads/uploads-in.ts';
import type { Situation } from '../../scripts/script.ts';
import { someBytes } from '../../situations/uploads/upload-asks.ts';

/** Milliseconds: four of the five minutes that an upload URL lives. */
export const maxAge = 240_000;

/** Bytes are PUT to the oldest unused upload URL. A URL may die early, or with the next start. */
export function latePut(history: History): Situation[] {
  const now = history.exchanges.at(-1)?.doneAt ?? 0;
  const used = new Set(history.exchanges.map(({ operation, params }) => operation === 'storage' && params.start));
  const isUnused = (exchange: Exchange) =>
    exchange.operation === 'startSiteFileUpload' &&
    succeeded(exchange) &&
    askedBy(exchange, history).lawful &&
    hasLawfulBody(exchange, history) &&
    !used.has(String(exchange.n));
  const start = history.exchanges.find((one) => isUnused(one) && one.sentAt > now - maxAge);
  if (start === undefined) return [];
  return [
    {
      id: 'upload/put/late',
      title: 'bytes are PUT to the oldest upload URL that was not used yet',
      feeds: ['upload/url-lives-five-minutes', 'upload/put-accepts-bytes'],
      uses: ['startSiteFileUpload'],
      async run({ put, deployment }) {
        await put(start, { contentType: deployment.uploadContentType, bytes: someBytes });
      },
    },
  ];
}
