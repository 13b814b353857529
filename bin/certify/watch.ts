import { judgeTraffic } from './certify.ts';
import { startClientMock } from './client-mock.ts';
import { type ClientReport, type ClientRow, worstFirst } from './report/client-report.ts';
import type { ClientOptions } from './run-client.ts';
import { trafficOf } from './traffic.ts';
import { environmentOf, givenBy } from './variables.ts';

interface WatchOptions extends Pick<ClientOptions, 'names' | 'seeds' | 'profile'> {
  readonly port: number;
  readonly strict: boolean;
  /** Called the first time that a duty is broken. */
  readonly onBroken: (row: ClientRow) => void;
}

/** Serves a mock for a client that somebody runs by hand, and judges its requests as they arrive. */
export async function watch({ port, seeds, profile, strict, names, onBroken }: WatchOptions) {
  const startedAt = new Date();
  const told = new Set<string>();
  const report = (ongoing: boolean): ClientReport => {
    const given = givenBy(client.values, names);
    const keys = new Map([[client.values.KEY ?? '', '$PARTNERKIT_KEY']]);
    const traffic = trafficOf(client.entries, { id: 'by hand', given, keys });
    return judgeTraffic(traffic, { subject: 'the client that runs by hand', startedAt, strict, ongoing });
  };
  // The page of the console has its findings in the order of the printed verdict.
  const live = () => {
    const now = report(true);
    return { ...now, rows: worstFirst(now.rows) };
  };
  let pending = false;
  const look = () => {
    pending = false;
    for (const row of report(true).rows) {
      if ((row.outcome !== 'fail' && row.outcome !== 'warn') || told.has(row.id)) continue;
      told.add(row.id);
      onBroken(row);
    }
  };
  const client = await startClientMock({
    seeds,
    profile,
    listen: { port, control: { client: live, environment: () => environment } },
    onEntry() {
      if (client.entries.length === 1) told.clear();
      // Requests that arrive together are judged together.
      if (!pending) setTimeout(look, 100);
      pending = true;
    },
  });
  const environment = environmentOf(client.values, names);
  return { ...client, environment, report: () => report(false) };
}
