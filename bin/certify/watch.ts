import type { TenantSeed } from '../../mock/seed/schema.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { judgeTraffic } from './certify.ts';
import { startClientMock } from './client-mock.ts';
import type { ClientReport, ClientRow } from './report/client-report.ts';
import { trafficOf } from './traffic.ts';
import { givenBy, namesOf } from './variables.ts';

interface WatchOptions {
  readonly port: number;
  readonly seeds: readonly TenantSeed[];
  readonly profile?: Profile | undefined;
  readonly strict: boolean;
  /** Called the first time that a duty is broken. */
  readonly onBroken: (row: ClientRow) => void;
}

/** Serves a mock for a client that somebody runs by hand, and judges its requests as they arrive. */
export async function watch({ port, seeds, profile, strict, onBroken }: WatchOptions) {
  const startedAt = new Date();
  const told = new Set<string>();
  const report = (): ClientReport => {
    const given = givenBy(client.values, namesOf([]));
    const keys = new Map([[client.values.KEY ?? '', '$PARTNERKIT_KEY']]);
    const traffic = trafficOf(client.entries, { id: 'by hand', given, keys });
    return judgeTraffic(traffic, { subject: 'the client that runs by hand', startedAt, strict });
  };
  let pending = false;
  const look = () => {
    pending = false;
    for (const row of report().rows) {
      if ((row.outcome !== 'fail' && row.outcome !== 'warn') || told.has(row.id)) continue;
      told.add(row.id);
      onBroken(row);
    }
  };
  const client = await startClientMock({
    seeds,
    profile,
    listen: { port, control: { client: report } },
    onEntry() {
      // Requests that arrive together are judged together.
      if (!pending) setTimeout(look, 100);
      pending = true;
    },
  });
  return { client, report, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}
