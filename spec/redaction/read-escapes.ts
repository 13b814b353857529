import { type Reading, ReadingBuilder } from './reading.ts';

/** The escapes of URLs, of JSON and JavaScript, and of HTML. */
const escapes =
  /%([\da-f]{2})|\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|([^ux\r\n]))|&#(\d{1,7});?|&#x([\da-f]{1,6});?|&([a-z]{2,6});/gi;

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The HTML entities of characters that a secret may contain. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', bsol: '\\', plus: '+', equals: '=', num: '#' },
  ...{ percnt: '%', colon: ':', semi: ';', comma: ',', period: '.', excl: '!', quest: '?', lpar: '(', rpar: ')' },
  ...{ ast: '*', dollar: '$', commat: '@', lowbar: '_', lsqb: '[', rsqb: ']', lbrack: '[', rbrack: ']', grave: '`' },
  ...{ lcub: '{', rcub: '}', lbrace: '{', rbrace: '}', verbar: '|', vert: '|', hat: '^', hyphen: '-', dash: '-' },
};

export const mayHoldEscapes = (text: string) => /[%\\&]/.test(text);

/** Resolves one level of escapes of all kinds; undefined if the text has none. */
export function readEscapes(reading: Reading): Reading | undefined {
  const { text } = reading;
  if (!mayHoldEscapes(text)) return undefined;
  const builder = new ReadingBuilder(reading, text.length);
  let done = 0;
  for (const match of text.matchAll(escapes)) {
    const read = meaning(match);
    if (read === undefined) continue;
    for (; done < match.index; done++) builder.push(text.charCodeAt(done), done, done + 1);
    done += match[0].length;
    for (let i = 0; i < read.length; i++) builder.push(read.charCodeAt(i), match.index, done);
  }
  if (done === 0) return undefined;
  for (; done < text.length; done++) builder.push(text.charCodeAt(done), done, done + 1);
  return builder.build();
}

function meaning(match: RegExpExecArray): string | undefined {
  const [, percent, unicode, braced, byte, single, decimal, hex, name] = match;
  const digits = percent ?? unicode ?? braced ?? byte ?? hex;
  if (digits !== undefined || decimal !== undefined) {
    const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
    return code > 0x10ffff ? undefined : String.fromCodePoint(code);
  }
  if (single !== undefined) return controls[single] ?? single;
  return name === undefined ? undefined : entities[name.toLowerCase()];
}
