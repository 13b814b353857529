import { expect, it } from 'vitest';
import { type Harm, underAttack } from '../../../spec/proof/hostile/under-attack.ts';
import { mockTarget } from '../../../spec/proof/mock-target.ts';
import { examineTarget } from '../../commands/doctor.ts';

async function examined(baseUrl: string): Promise<Harm> {
  const findings = await examineTarget(mockTarget(baseUrl), Date.now, 80);
  return findings.some(({ text }) => /[^\P{Cc}]/u.test(text)) ? ['prints control characters'] : [];
}

it('doctor ends within bounds of time and memory, and sends no key to another host', async () => {
  expect(await underAttack('fromTheStart', examined)).toEqual([]);
});
