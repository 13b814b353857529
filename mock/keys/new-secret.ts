const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const secretLength = 40;

/** A new API key: 40 random characters (240 bits) that a header can hold without encoding. */
export function newSecret(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(secretLength)),
    (byte) => alphabet[byte % alphabet.length],
  ).join('');
}
