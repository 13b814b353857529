const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const hex = (text: string) => Buffer.from(text).toString('hex');
const each = (text: string, write: (code: string) => string) =>
  [...text].map((character) => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const lines = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}`, 'gs'))?.join('\r\n') ?? '';

/** Ways in which a deployment may repeat a key that it was sent, by what they are called. */
export const forms: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (text) => text,
  'in capital letters': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded whole': (text) => each(text, (code) => `%${code}`),
  'percent-encoded here and there': (text) => [...text].map((c, i) => (i % 3 ? c : `%${hex(c)}`)).join(''),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in JSON': json,
  'in JSON within JSON': (text) => json(json(text)),
  'in JSON with a slash escaped': (text) => json(text).replaceAll('/', '\\/'),
  'in JSON with signs escaped': (text) => json(text).replaceAll('+', '\\u002B').replaceAll('-', '\\u002d'),
  'in JSON with everything escaped': (text) => each(text, (code) => `\\u00${code}`),
  'in Base64': (text) => base64(text),
  'in Base64 behind a name': (text) => `Basic ${base64(`user:${text}`)}`,
  'in Base64 behind another name': (text) => `Basic ${base64(`me:${text}`)}`,
  'in Base64 before a colon': (text) => `Basic ${base64(`${text}:`)}`,
  'in Base64 for URLs': base64url,
  'in Base64, in small letters as names of headers are': (text) => base64(text).toLowerCase(),
  'in Base64 behind a name, in capital letters': (text) => base64(`u:${text}`).toUpperCase(),
  'in Base64 in lines': (text) => lines(base64(`user: ${text}`), 20),
  'in Base64 in lines within JSON': (text) => json(lines(base64(text), 20)),
  'in Base64 of JSON': (text) => base64(JSON.stringify({ sub: 'x', key: text })),
  'in a token': (text) => `eyJhbGciOiJub25lIn0.${base64url(JSON.stringify({ key: text }))}.`,
  'in Base64, percent-encoded': (text) => encodeURIComponent(base64(text)),
  'in Base64 of percent-encoding': (text) => base64(encodeURIComponent(text)),
  'in hexadecimal digits': hex,
  'in hexadecimal digits of its capitals': (text) => hex(text.toUpperCase()),
  'in Base64 of its small letters': (text) => base64(text.toLowerCase()),
};
