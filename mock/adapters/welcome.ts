import type { ApiReply, ApiRequest } from '../message.ts';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>partnerkit mock</title>
<h1>This is a mock of the partner API</h1>
<p>It plays the API below <code>/v1</code>, with keys and data that it was started with. Nothing here is real.</p>
<ul>
<li><a href="/_mock">Console</a>: keys, live requests, data, the clock and faults</li>
<li><a href="/_mock/openapi.json">OpenAPI document</a>, with examples that work here</li>
<li><a href="/_mock/target">Target file</a> for <code>partnerkit conformance</code></li>
</ul>
<p>Every request carries a key: <code>x-api-key: ...</code></p>
`;

const reply: ApiReply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  body: page,
};

/** What a person sees who opens the address of the mock in a browser; null for whoever asks the API. */
export function welcome({ method, url, headers }: Pick<ApiRequest, 'method' | 'url' | 'headers'>): ApiReply | null {
  const isBrowser = headers.accept?.includes('text/html') === true && headers['x-api-key'] === undefined;
  return url === '/' && method === 'GET' && isBrowser ? reply : null;
}
