import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Exchange } from '../../control/control-types.ts';
import { useKnownKeys } from '../../control/known-keys.ts';
import { replaceParams } from '../../navigation/route.ts';
import { journalFeed } from '../exchange/journal-feed.ts';
import { chosenHeaders } from './as-curl.ts';

/** Sends a request once more as it was, and leads to what came of it. Not there where the mock does not know all of it. */
export function SendAgain({ exchange }: { readonly exchange: Exchange }) {
  const { request, tenant, key } = exchange;
  const keys = useKnownKeys(tenant ?? '');
  const { exchanges } = useSyncExternalStore(journalFeed.subscribe, journalFeed.state);
  /** The newest request when it was sent; null before. */
  const [sentAfter, setSentAfter] = useState<number | null>(null);
  const made =
    sentAfter === null
      ? undefined
      : exchanges.find(
          ({ id, request: { method, url } }) => id > sentAfter && method === request.method && url === request.url,
        );
  useEffect(() => {
    if (made !== undefined) replaceParams({ id: String(made.id) });
  }, [made]);

  const secret = keys.find(({ name }) => name === key)?.secret;
  const hadKey = request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined;
  if (hadKey && secret === undefined) return null;
  if (request.body?.shortened || request.url.includes('…')) return null;
  const send = () => {
    setSentAfter(journalFeed.last);
    const headers = new Headers(chosenHeaders(request.headers));
    if (secret !== undefined) headers.set('x-api-key', secret);
    // What comes back, or does not, is shown with the new request.
    fetch(request.url, { method: request.method, headers, body: request.body?.text ?? null }).catch(() => {});
  };
  return (
    <button type="button" className="small" onClick={send}>
      Send again
    </button>
  );
}
