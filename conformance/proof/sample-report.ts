import type { History } from '../history/history.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { reportOf } from '../reports/report-of.ts';
import type { Report } from '../reports/report-schema.ts';
import { applyWaivers } from '../reports/verdict.ts';
import { gather } from '../run/run.ts';
import { judgeBy, judgeHistory } from '../verdict/judge.ts';
import type { Finding, Law } from '../verdict/law.ts';
import { type VirtualMockOptions, virtualMock } from './trials/virtual-mock.ts';

type Around = NonNullable<VirtualMockOptions['around']>;

/** A deployment that answers a missing key with 401, and quotes the key and markup in every error. */
const talkative: Around =
  ({ handle }) =>
  async (request, trace) => {
    const reply = await handle(request, trace);
    if (reply.status < 400) return reply;
    const message = `<script>alert(1)</script> \u0007 your key was ${request.headers['x-api-key'] ?? 'none'}`;
    const status = request.headers['x-api-key'] === undefined ? 401 : reply.status;
    return { ...reply, status, body: JSON.stringify({ error: { code: 'NO', message } }) };
  };

/** Laws with outcomes that real laws rarely have, and the names of their rows. */
const rare: readonly (Law & { readonly row: string; readonly judge: (history: History) => Finding })[] = [
  {
    row: 'limits/broken',
    id: 'limits/below-10mb-passes',
    title: 'a law with a mistake in it',
    judge: () => {
      throw new Error('a mistake of ours');
    },
  },
  {
    row: 'context/undecided',
    id: 'context/strings',
    title: 'a law that cannot tell',
    judge: () => ({ applied: 1, breaches: [], unclear: ['somebody else writes to these records'] }),
  },
  {
    row: 'auth/should',
    id: 'auth/forbidden-has-the-error-body',
    title: 'a should that is broken',
    judge: ({ exchanges }) => ({
      applied: 1,
      breaches: exchanges.slice(0, 1).map((exchange) => ({ exchange, expected: 'a body', observed: 'none' })),
    }),
  },
];

let usual: Promise<Report> | undefined;

/** A report with every outcome, from a run in virtual time. Always the same, so the usual one is made once for all tests of a process. */
export async function sampleReport({ around }: { readonly around?: Around } = {}): Promise<Report> {
  if (around !== undefined) return runReport(around);
  usual ??= runReport(talkative);
  return structuredClone(await usual);
}

async function runReport(around: Around): Promise<Report> {
  const { environment, target } = await virtualMock({ latency: () => 40, around });
  const tenants = target.tenants.map(({ privateLabel: _, privateLabels: __, ...poorer }) => poorer);
  const history = await gather(
    { ...target, tenants },
    { environment, journal: memoryJournal(), kit: '1.2.3', preflight: false },
  );
  const waivers = [
    { id: 'labels/apply-adds', reason: 'ticket 7', owner: 'dana', expires: '2026-12-31' },
    { id: 'auth/no-key-is-403', reason: 'ticket 8', owner: 'sam', expires: '2026-12-31' },
  ];
  const results = [
    ...judgeHistory(history, { skip: ['versioning'] }),
    ...rare.map(({ row, judge, ...law }) => ({ ...judgeBy(law, history, () => judge(history)), id: row })),
  ];
  const today = Date.parse(history.known.startedAt);
  return reportOf(history, results, applyWaivers({ results, interrupted: false }, waivers, today));
}
