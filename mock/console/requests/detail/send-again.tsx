import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Exchange } from '../../control/control-types.ts';
import { useKnownKeys } from '../../control/known-keys.ts';
import { replaceParams } from '../../navigation/route.ts';
import { journalFeed } from '../exchange/journal-feed.ts';
import { chosenHeaders } from './as-curl.ts';

/** Sends a request again and opens the new exchange. Renders nothing if the mock did not keep the whole request. */
export function SendAgain({ exchange }: { readonly exchange: Exchange }) {
  const { request, tenant, key } = exchange;
  const keys = useKnownKeys(tenant ?? '');
  const { exchanges } = useSyncExternalStore(journalFeed.subscribe, journalFeed.state);
  /** The id of the newest exchange when the button was pressed. */
  const [sentAfter, setSentAfter] = useState<number | null>(null);
  const repeated =
    sentAfter === null
      ? undefined
      : exchanges.find(
          ({ id, request: { method, url } }) => id > sentAfter && method === request.method && url === request.url,
        );
  useEffect(() => {
    if (repeated !== undefined) replaceParams({ id: String(repeated.id) });
  }, [repeated]);

  const secret = keys.find(({ name }) => name === key)?.secret;
  const hadKey = request.headers['x-api-key'] !== undefined || request.headers.authorization !== undefined;
  if (hadKey && secret === undefined) return null;
  if (request.body?.shortened || request.url.includes('…')) return null;
  const send = () => {
    setSentAfter(journalFeed.last);
    const headers = new Headers(chosenHeaders(request.headers));
    if (secret !== undefined) headers.set('x-api-key', secret);
    // The new exchange shows the reply, or that there was none.
    fetch(request.url, { method: request.method, headers, body: request.body?.text ?? null }).catch(() => {});
  };
  return (
    <button type="button" className="small" onClick={send}>
      Send again
    </button>
  );
}
