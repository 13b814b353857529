import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { ConfigurationError, fileProblem } from './configuration-error.ts';

/**
 * The certificates and the key of a client as PEM texts, where they may be paths.
 * @param where the target file, from whose folder relative paths are taken
 * @throws ConfigurationError for a file that cannot be read, and for texts that no connection can be made with
 */
export function readTls(tls: Readonly<Record<string, string | undefined>>, where: string): Record<string, string> {
  const wrong = (field: string, why: string) => new ConfigurationError([`${where}: ${field}: ${why}`]);
  const read = ([name, value = '']: [string, string | undefined]): [string, string] => {
    try {
      const text = isPem(value) ? value : readFileSync(resolve(dirname(where), value), 'utf8');
      // OpenSSL takes a text without a certificate for an empty list.
      if (isPem(text)) return [name, text];
    } catch (error) {
      throw wrong(`tls.${name}`, fileProblem(error, 'read'));
    }
    throw wrong(`tls.${name}`, 'must be PEM text, which has a line with -----BEGIN');
  };
  const texts = Object.fromEntries(Object.entries(tls).map(read));
  for (const name of ['cert', 'key'])
    if (texts[name] === undefined && (texts.cert ?? texts.key) !== undefined)
      throw wrong(`tls.${name}`, 'is missing: a client needs both cert and key');
  try {
    createSecureContext(texts);
  } catch (error) {
    // The message says what is wrong, and never what is in the texts.
    throw wrong('tls', `${String(Object(error).message).split(':').at(-1)}; check that cert and key belong together`);
  }
  return texts;
}

const isPem = (text: string) => text.includes('-----BEGIN ');
