import { expect, it } from 'vitest';
import { type Harm, underAttack } from '../../../spec/proof/hostile/under-attack.ts';
import { mockTarget } from '../../../spec/proof/mock-target.ts';
import { memoryJournal, nodeEnvironment, PreflightError, runConformance } from '../../index.ts';

const requestTimeout = 80;
/** Laws about a read, a write, an upload, and every reply. */
const only = ['upload/put-accepts-bytes'];
/** Real connections, without waits for backoff. */
function impatient() {
  const real = nodeEnvironment();
  return { ...real, sleep: (ms: number, signal?: AbortSignal) => real.sleep(ms / 100, signal) };
}

async function graded(url: string): Promise<Harm> {
  const environment = impatient();
  try {
    const options = { environment, journal: memoryJournal(), timeout: requestTimeout, only, preflight: false };
    const { rows, exitCode } = await runConformance(mockTarget(url), options);
    return [
      ...rows.filter(({ outcome }) => outcome === 'error').map(({ id, message }) => `${id}: ${message}`),
      ...(exitCode === 0 ? ['passes for conformant'] : []),
    ];
  } catch (error) {
    if (error instanceof PreflightError && !/[^\P{Cc}]/u.test(error.message)) return [];
    throw error;
  } finally {
    environment.close();
  }
}

it('conformance run ends within bounds of time and memory when the deployment is hostile from the start', async () => {
  expect(await underAttack('fromTheStart', graded)).toEqual([]);
}, 600_000);

it('conformance run ends within bounds of time and memory, without an internal error, when the deployment turns hostile', async () => {
  expect(await underAttack('turning', graded)).toEqual([]);
}, 600_000);
