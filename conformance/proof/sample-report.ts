import { judge } from '../../spec/limiter/judge.ts';
import type { Observation } from '../../spec/limiter/observation.ts';
import { reportOf } from '../reports/report-of.ts';
import type { Report } from '../reports/report-schema.ts';
import { run } from '../run.ts';
import { applyWaivers } from '../waivers.ts';
import { memoryJournal } from '../write-journal.ts';
import { sampleChecks } from './sample-checks.ts';
import { type VirtualMockOptions, virtualMock } from './virtual-mock.ts';

type Around = NonNullable<VirtualMockOptions['around']>;

/** Answers a missing key with 401, and quotes the key and some markup in every error. */
const talkative: Around = (handle) => async (request, trace) => {
  const reply = await handle(request, trace);
  if (reply.status < 400) return reply;
  const message = `<script>alert(1)</script> \u0007 your key was ${request.headers['x-api-key'] ?? 'none'}`;
  const status = request.headers['x-api-key'] === undefined ? 401 : reply.status;
  return { ...reply, status, body: JSON.stringify({ error: { code: 'NO', message } }) };
};

/** A report with every outcome in it, of a run in virtual time; the same each time. */
export async function sampleReport({ around = talkative }: { readonly around?: Around } = {}): Promise<Report> {
  const { environment, target } = await virtualMock({ latency: () => 40, around });
  const [acme, ...others] = target.tenants;
  const { legacy: _, ...sites } = acme?.sites ?? {};
  const tenants = acme === undefined ? [] : [{ ...acme, sites }, ...others];
  const record = await run({ ...target, tenants }, { checks: sampleChecks, environment, journal: memoryJournal() });
  const samples = sampleLimiter(record.startedAt);
  const limiter = { samples, judgement: judge({ perSecond: 10, burst: 20 }, samples) };
  const waivers = [
    { id: 'labels/apply', reason: 'ticket 7', owner: 'dana', expires: '2026-12-31' },
    { id: 'context/any-field', reason: 'ticket 8', owner: 'sam', expires: '2026-12-31' },
  ];
  const waived = applyWaivers({ ...record, ...{ limiter } }, waivers, record.startedAt);
  return reportOf(waived, { checks: sampleChecks, kit: '1.2.3' });
}

/** A bucket of 20 at 10 per second, asked 60 times at once, then 15 times a second for 5 s, then slowly. */
function sampleLimiter(start: number): Observation[] {
  const times = [
    ...Array.from({ length: 60 }, () => 0),
    ...Array.from({ length: 75 }, (_, i) => 1000 + i * 66),
    ...Array.from({ length: 20 }, (_, i) => 6000 + i * 200),
  ];
  let tokens = 20;
  let last = 0;
  return times.map((at, i) => {
    tokens = Math.min(20, tokens + (at - last) / 100);
    last = at;
    const admitted = tokens >= 1;
    if (admitted) tokens -= 1;
    return {
      sentAt: start + at,
      doneAt: start + at + 60 + (i % 7) * 5,
      status: admitted ? 200 : 429,
    };
  });
}
