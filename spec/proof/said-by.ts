import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/**
 * All that a process says until it ends, on both of its streams, as it comes.
 * @param onSaid called with all of it so far
 */
export async function saidBy(
  child: ChildProcess & { readonly stdout: Readable; readonly stderr: Readable },
  onSaid: (said: string) => void = () => {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      onSaid(said);
    });
  }
  const [code] = await once(child, 'close');
  return { code, said };
}
