import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { defaultHashes } from '../seed/generated/tenants.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const secretLength = 40;

/** A new API key: 40 random characters (240 bits) that a header can hold without encoding. */
export function newSecret(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(secretLength)),
    (byte) => alphabet[byte % alphabet.length],
  ).join('');
}

/** The beginning of a secret, which may be kept and shown, and its hash. */
export const sealed = (secret: string) => ({ prefix: secret.slice(0, 8), hash: hashOf(secret) });

/** SHA-256 of a text in hex: enough for secrets that are long and random, and fast enough to be done for every request. */
export const hashOf = (text: string): string => defaultHashes.get(text) ?? bytesToHex(sha256(utf8ToBytes(text)));

/** Whether two hashes or signatures are equal. The time it takes does not reveal where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
