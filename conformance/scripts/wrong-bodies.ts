/** Bodies of a start that must be refused: no content type, more than a content type, no JSON. A text is sent as it stands. */
import { type Change, must } from '../contract/request.ts';

const numbered = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a${i}`, i]));

export function wrongBodies(type: string): { readonly body: unknown; readonly change: Change }[] {
  const lacking = must('no content type', 'upload/content-type-is-required', [400, 422]);
  const more = must('more properties', 'upload/no-additional-properties', [400, 422]);
  const text = must('no JSON', 'transport/json-both-ways', [400, 415, 422]);
  const form = must('a form', 'transport/json-both-ways', [400, 415, 422], {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const json = JSON.stringify({ contentType: type });
  const valueless = ['', 5, null, true, [], [type], { type }].map((contentType) => ({ contentType }));
  const extras: object[] = [
    { name: 'a.txt' },
    { ContentType: type },
    { '': 'x' },
    { toString: 1 },
    { constructor: { a: 1 } },
    { fileName: null },
    { id: 1, siteId: '1' },
    numbered,
  ];
  return [
    ...[{}, ...valueless, [type], [], JSON.stringify(json), 'null', '5'].map((body) => ({ body, change: lacking })),
    ...[...extras.map((extra) => ({ contentType: type, ...extra })), `{"contentType":"${type}","__proto__":{}}`].map(
      (body) => ({ body, change: more }),
    ),
    ...[json.slice(0, -1), `${json} x`, `${json}{}`, `contentType=${encodeURIComponent(type)}`, '{'].map((body) => ({
      body,
      change: text,
    })),
    { body: `contentType=${encodeURIComponent(type)}`, change: form },
  ];
}
