import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { ConfigurationError } from './configuration-error.ts';
import { fileProblem } from './file-problem.ts';

/** Certificates and the key of a client, as PEM texts or paths. */
export interface Tls {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * The PEM texts behind the paths.
 * @param where the target file, from whose folder relative paths are taken
 * @throws ConfigurationError for a file that cannot be read, and for texts that no connection can be made with
 */
export function readTls(tls: Tls, where: string): Tls {
  const wrong = (field: string, why: string) => new ConfigurationError([`${where}: ${field}: ${why}`]);
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(tls)) {
    if (value === undefined) continue;
    try {
      texts[name] = isPem(value) ? value : readFileSync(resolve(dirname(where), value), 'utf8');
    } catch (error) {
      throw wrong(`tls.${name}`, fileProblem(error, 'read'));
    }
    // OpenSSL takes a text without a certificate for an empty list.
    if (!isPem(texts[name] ?? '')) throw wrong(`tls.${name}`, 'must be PEM text, which has a line with -----BEGIN');
  }
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw wrong(tls.cert === undefined ? 'tls.cert' : 'tls.key', 'is missing: a client needs both cert and key');
  try {
    createSecureContext(texts);
  } catch (error) {
    // The message says what is wrong, and never what is in the texts.
    throw wrong('tls', `${String(Object(error).message).split(':').at(-1)}; check that cert and key belong together`);
  }
  return texts;
}

const isPem = (text: string) => text.includes('-----BEGIN ');
