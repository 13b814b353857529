import { acme } from '../acme.ts';

/** Fields that every operation with a body accepts. */
const fields = `"contentType":"a/b","fileKey":"${acme.open}"`;
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const long = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length));

/** Hostile JSON texts by their problem, such as names of Object.prototype, repeated keys and numbers out of range. */
export const smallHostileJson: readonly (readonly [name: string, text: string])[] = [
  ['__proto__', `{"__proto__":{"polluted":1},${fields}}`],
  ['__proto__ with the fields in it', `{"__proto__":{${fields}}}`],
  ['__proto__ of null', `{"__proto__":null,${fields}}`],
  ['__proto__, escaped', `{"\\u005f_proto__":{"polluted":1},${fields}}`],
  ['constructor', `{"constructor":{"prototype":{"polluted":1}},${fields}}`],
  ['prototype and toString', `{"prototype":{"polluted":1},"toString":1,"valueOf":null,"hasOwnProperty":0,${fields}}`],
  ['toJSON', `{"toJSON":{"polluted":1},"then":{"polluted":1},${fields}}`],
  ['a list in place of an object', '[{"__proto__":{"polluted":1}}]'],
  ['a field twice', '{"contentType":"a/b","contentType":7,"fileKey":"x","fileKey":7}'],
  ['a number beyond 2^53', '{"contentType":9007199254740993,"fileKey":9007199254740993}'],
  ['a number beyond doubles', '{"contentType":1e999,"fileKey":-1e999}'],
  ['a number of 100,000 digits', `{"contentType":${'9'.repeat(100_000)},"fileKey":1}`],
  ['half a surrogate pair', '{"contentType":"\\ud800","fileKey":"\\udfff"}'],
  ['a NUL in a text', '{"contentType":"a\\u0000/b","fileKey":"\\u0000"}'],
  ['line breaks in a text', '{"contentType":"a/b\\r\\nx-evil: 1","fileKey":"a\\r\\nb"}'],
  ['a byte order mark', `\ufeff{${fields}}`],
  ['a comment', `{${fields}/* */}`],
  ['a comma too much', `{${fields},}`],
  ['NaN', '{"contentType":NaN,"fileKey":Infinity}'],
  ['nothing but blanks', ' '.repeat(1_000)],
  ['two documents', `{${fields}}{${fields}}`],
  ['lists within each other, as deep as they may be', `{${fields},"x":${nested(98, '[', ']')}}`],
  ['lists within each other, deeper', `{${fields},"x":${nested(1_000, '[', ']')}}`],
];

/** JSON texts of about so many bytes whose every byte makes work. */
export const largeHostileJson = (bytes: number): readonly (readonly [name: string, text: string])[] => [
  ['opening brackets', long('[', bytes)],
  ['brackets, closed again', nested(bytes / 2, '[', ']')],
  ['brackets in a field', `{"contentType":${nested(bytes / 2, '[', ']')}}`],
  ['brackets in a field nobody knows', `{${fields},"x":${nested(bytes / 2, '[', ']')}}`],
  ['objects within each other', `${long('{"a":', bytes * 0.8)}1${'}'.repeat((bytes * 0.8) / 5)}`],
  ['empty lists', `[${long('[],', bytes)}[]]`],
  ['empty objects', `[${long('{},', bytes)}{}]`],
  ['a field again and again', `{${long('"contentType":"a/b",', bytes)}"contentType":7}`],
  ['a number without end', `{"contentType":${long('9', bytes)}}`],
  ['a text of escapes', `{"contentType":"${long('\\u0041', bytes)}","x":1}`],
  ['text without end', `{"contentType":"${long('a', bytes)}`],
];
