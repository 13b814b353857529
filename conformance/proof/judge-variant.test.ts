import { expect, it } from 'vitest';
import { checks } from '../checks/index.ts';
import { judgeVariant } from './judge-variant.ts';
import { legalVariants } from './legal-variants/index.ts';
import type { LegalVariant } from './legal-variants/legal-variant.ts';
import { networkProfiles } from './network-profiles.ts';
import { onReply } from './tamper.ts';

const [none] = networkProfiles;
if (none === undefined) throw new Error('there is no network');
const functional = checks.filter(({ after, slow }) => after !== 'limits' && !slow);

it('finds no fault with a deployment that differs in everything', async () => {
  const variant = legalVariants.find(({ id }) => id === 'everything-otherwise');
  expect(variant).toBeDefined();
  if (variant === undefined) return;
  expect(await judgeVariant(variant, none, 1, functional)).toMatchObject({ falseAlarms: [], exitCode: 0 });
});

it('would report a false alarm, and a should that was not announced', async () => {
  const around: LegalVariant['around'] = (scene) =>
    onReply(({ refused, reply }) => (refused === 'no-key' ? { ...reply, body: '{"message":"Forbidden"}' } : undefined))(
      { ...scene, reached: () => {} },
    );
  const gateway: LegalVariant = { id: 'test', does: 'answers as a gateway does', around };
  const few = functional.filter(({ id }) => id.startsWith('auth/'));
  const found = await judgeVariant(gateway, none, 1, few);
  expect(found.falseAlarms).toMatchObject([{ check: 'auth/forbidden-body/no-key', outcome: 'warn' }]);
  const announced: LegalVariant = { ...gateway, warns: ['auth/forbidden-has-the-error-body'] };
  expect((await judgeVariant(announced, none, 1, few)).falseAlarms).toEqual([]);
});

it('names every variant once', () => {
  expect(new Set(legalVariants.map(({ id }) => id)).size).toBe(legalVariants.length);
});
