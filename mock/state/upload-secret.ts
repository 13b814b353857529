import { readFile } from 'node:fs/promises';
import { newSecret } from '../keys/new-secret.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * The secret that signs upload URLs, kept beside a state file so that the URLs work after a restart. It has a file of its
 * own, because people may show, send or commit the state.
 */
export async function keptUploadSecret(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.length >= 40) return kept;
  const secret = newSecret();
  await writeAtomically(path, secret);
  return secret;
}
