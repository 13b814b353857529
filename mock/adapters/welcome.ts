import type { ApiReply, ApiRequest } from '../message.ts';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>partnerkit mock</title>
<h1>This is a mock of the partner API</h1>
<p>The API is below <code>/v1</code>. Its keys and data are made up.</p>
<ul>
<li><a href="/_mock">Console</a>: keys, live requests, data, the clock and faults</li>
<li><a href="/_mock/openapi.json">OpenAPI document</a>, with examples that work here</li>
<li><a href="/_mock/target">Target file</a> for <code>partnerkit conformance</code></li>
</ul>
<p>Every request needs a key: <code>x-api-key: ...</code></p>
`;

const reply: ApiReply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  body: page,
};

/** The page for a person who opens the mock's address in a browser; null for all other requests. */
export function welcome({ method, url, headers }: Pick<ApiRequest, 'method' | 'url' | 'headers'>): ApiReply | null {
  const isBrowser = headers.accept?.includes('text/html') === true && headers['x-api-key'] === undefined;
  return url === '/' && (method === 'GET' || method === 'HEAD') && isBrowser ? reply : null;
}
