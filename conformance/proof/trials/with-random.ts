import { seededRandom } from '../../../spec/random.ts';

const { getRandomValues, randomUUID } = crypto;

/** Runs a task with random ids and secrets from a seed. Only one task may run at a time. */
export async function withRandom<T>(seed: number, task: () => T | Promise<T>): Promise<T> {
  const random = seededRandom(seed);
  const fill = <A extends ArrayBufferView>(array: A): A => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
    return array;
  };
  crypto.getRandomValues = fill as typeof getRandomValues;
  crypto.randomUUID = () => {
    const hex = Buffer.from(fill(new Uint8Array(16))).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  try {
    return await task();
  } finally {
    Object.assign(crypto, { getRandomValues, randomUUID });
  }
}
