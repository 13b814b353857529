import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { ConfigurationError, fileProblem } from './configuration-error.ts';

/**
 * The certificates and the key of a client as PEM texts, where they may be paths.
 * @param where a file, from whose folder relative paths are taken
 * @param place what stands before a name in errors; by default its place in a target file
 * @throws ConfigurationError for a file that cannot be read, and for texts that no connection can be made with
 */
export function readTls(
  tls: Readonly<Record<string, string | undefined>>,
  where: string,
  place = `${where}: tls.`,
): Record<string, string> {
  const wrong = (name: string, why: string) => new ConfigurationError([`${place}${name}: ${why}`]);
  const read = ([name, value = '']: [string, string | undefined]): [string, string] => {
    try {
      const text = isPem(value) ? value : readFileSync(resolve(dirname(where), value), 'utf8');
      // OpenSSL takes a text without a certificate for an empty list.
      if (isPem(text)) return [name, text];
    } catch (error) {
      throw wrong(name, fileProblem(error, 'read'));
    }
    throw wrong(name, 'must be PEM text, which has a line with -----BEGIN');
  };
  for (const name of ['cert', 'key'])
    if (tls[name] === undefined && (tls.cert ?? tls.key) !== undefined)
      throw wrong(name, 'is missing: give both cert and key');
  const texts = Object.fromEntries(Object.entries(tls).map(read));
  try {
    createSecureContext(texts);
  } catch (error) {
    // The message says what is wrong, and never what is in the texts.
    const why = String(Object(error).message).split(':').at(-1);
    throw wrong(tls.cert === undefined ? 'ca' : 'cert', `${why}; check that cert and key belong together`);
  }
  return texts;
}

const isPem = (text: string) => text.includes('-----BEGIN ');
