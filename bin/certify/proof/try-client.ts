import { defaultSeeds } from '../../../mock/seed/generated/tenants.ts';
import { ConfigurationError } from '../../../spec/files/configuration-error.ts';
import { certify } from '../certify.ts';
import { namesOf } from '../variables.ts';
import type { ClientDefect } from './defects.ts';

type CertifyOptions = Parameters<typeof certify>[0];
type TryOptions = Partial<CertifyOptions> & Pick<CertifyOptions, 'command'> & { readonly defect?: string };

/** Certifies one of the clients; the words of an Error where it is not even right as it is. */
export async function tryClient({ command, defect = '', only = [], ...more }: TryOptions) {
  try {
    return await certify({
      command: ['env', `DEFECT=${defect}`, ...command],
      names: namesOf([]),
      seeds: defaultSeeds,
      timeout: 30_000,
      signal: new AbortController().signal,
      jobs: 2,
      strict: false,
      repeated: [],
      onStart: () => undefined,
      onDone: () => undefined,
      only,
      ...more,
    });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

/** What found a defect; undefined where nothing that should have did. */
export async function finderOf({ name, foundBy }: ClientDefect, command: readonly string[]) {
  const report = await tryClient({ command, defect: name, only: [foundBy] });
  if (typeof report === 'string') return report.includes(`${foundBy}:`) ? report : undefined;
  const isIt = (id: string) => id === foundBy || id.startsWith(`${foundBy}/`);
  return report.rows.find(({ id, outcome }) => isIt(id) && (outcome === 'fail' || outcome === 'warn'))?.message;
}
