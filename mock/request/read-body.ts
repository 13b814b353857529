import { Refusal } from '../refusal.ts';

/**
 * Reads a whole body up to a limit. A larger body is refused as soon as its length is known, and never kept in memory.
 * @param limit in bytes; exactly that many are allowed
 * @throws Refusal `too-large`, or `incomplete-body` if the client closed the connection
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  announced: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  if (Number(announced) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('incomplete-body', 'The connection ended before the whole body had arrived.');
  }
  const only = chunks[0];
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const tooLarge = (limit: number) =>
  new Refusal(
    'too-large',
    `The request body is larger than ${limit} bytes. Send files to an upload URL instead (POST /v1/site/{id}/file/upload-url).`,
  );
