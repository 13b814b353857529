const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const secretLength = 40;

/** A new API key: 40 characters that travel in a header as they are, 240 bits nobody can guess. */
export function newSecret(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(secretLength)),
    (byte) => alphabet[byte % alphabet.length],
  ).join('');
}
