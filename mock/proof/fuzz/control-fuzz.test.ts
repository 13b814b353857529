import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { createMock, listen } from '../../index.ts';
import { memoryFiles } from '../../storage/memory-files.ts';
import { controlClient, controlOperations } from '../control-client.ts';
import { controlRequests } from './control-values.ts';
import { stateOf, storeProblems } from './store-problems.ts';

it('generated requests to the control API: no 5xx, every reply as described, a refused one changes nothing', async () => {
  const failures: unknown[] = [];
  const mock = await createMock({ files: memoryFiles(), rateLimit: false, onError: (error) => failures.push(error) });
  const { url, close } = await listen(mock, {
    port: 0,
    host: '127.0.0.1',
    control: { onError: (error) => failures.push(error) },
  });
  const { send, called } = controlClient(url);
  let sent = 0;
  const states = () => [...mock.tenants.values()].map((tenant) => [tenant.name, stateOf(tenant)]);
  try {
    const property = fc.asyncProperty(fc.array(controlRequests, { maxLength: 20, size: 'max' }), async (sequence) => {
      mock.reset();
      for (const { method, path: template, body } of sequence) {
        const path = template.replace('{{key}}', mock.keys.list()[0]?.id ?? 'none');
        const before = JSON.stringify(states());
        const { status, text } = await send(method, path, body);
        sent++;
        const problems = [...mock.tenants.values()]
          .flatMap((tenant) => storeProblems(tenant, mock))
          // The product puts private labels on and takes them off through here.
          .filter((problem) => problem !== 'private labels were changed');
        if (status >= 500) problems.push('a 5xx');
        if (failures.length > 0) problems.push(`an error of its own: ${failures.splice(0).join(', ')}`);
        if (status >= 400 && JSON.stringify(states()) !== before) problems.push('refused, and changed something');
        if (problems.length > 0) throw new Error(`${method} ${path} -> ${status}: ${problems.join('; ')}: ${text}`);
      }
    });
    await fc.assert(property, { seed: 1, numRuns: 150 });
  } finally {
    await close();
    await mock.close();
  }
  expect(called.size).toBeGreaterThan((2 * controlOperations.length) / 3);
  tally({ inputs: sent });
});
