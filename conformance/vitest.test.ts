import { sampleChecks } from './proof/sample-checks.ts';
import { virtualMock } from './proof/virtual-mock.ts';
import { conformanceTests } from './vitest.ts';
import { memoryJournal } from './write-journal.ts';

// Its tests are the proof: they are declared here and pass against the mock.
const { target, environment } = await virtualMock({ latency: () => 40 });
const checks = sampleChecks.filter(({ id }) => ['auth/no-key', 'labels/apply', 'errors/unknown'].includes(id));
conformanceTests(target, { checks, environment, journal: memoryJournal() });
