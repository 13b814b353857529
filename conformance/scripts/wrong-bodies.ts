/** Bodies of a start that must be refused: no content type, more than a content type, no JSON. A text is sent as it stands. */
import { type Change, must } from '../contract/request.ts';

const numbered = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`a${i}`, i]));

/** Each with a name of its own, because a fault may be in the reading of one alone. */
export function wrongBodies(type: string): { readonly body: unknown; readonly change: Change }[] {
  const json = JSON.stringify({ contentType: type });
  const form = `contentType=${encodeURIComponent(type)}`;
  const named = (kind: string, body: unknown) => `${kind}: ${typeof body === 'string' ? body : JSON.stringify(body)}`;
  const values = ['', 5, 0, null, true, [], [type], { type }].map((contentType) => ({ contentType }));
  const extras: object[] = [
    { name: 'a.txt' },
    { name: '' },
    { size: 1 },
    { ContentType: type },
    { '': 'x' },
    { toString: 1 },
    { constructor: { a: 1 } },
    { constructor: 'a' },
    { fileName: null },
    { metadata: {} },
    { id: 1, siteId: '1' },
    numbered,
  ];
  const lacking = [{}, ...values, { contenttype: type }, { content_type: type }, [type], [], [{ contentType: type }]];
  const more = [...extras.map((extra) => ({ contentType: type, ...extra })), `${json.slice(0, -1)},"__proto__":{}}`];
  const text = [json.slice(0, -1), `${json} x`, `${json}{}`, form, '{'];
  const bad = [400, 422];
  // No status is named for what is no JSON, so it may be any that the operation declares.
  const notJson = [...bad, 401, 403, 404, 415];
  return [
    ...[...lacking, JSON.stringify(json), JSON.stringify(type), 'null', '5'].map((body) => ({
      body,
      change: must(named('no content type', body), 'upload/content-type-is-required', bad),
    })),
    ...more.map((body) => ({
      body,
      change: must(named('more properties', body), 'upload/no-additional-properties', bad),
    })),
    ...text.map((body) => ({ body, change: must(named('no JSON', body), 'transport/json-both-ways', notJson) })),
    {
      body: form,
      change: must('a form', 'transport/json-both-ways', notJson, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    },
  ];
}
