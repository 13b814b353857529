import { expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { contractClient } from '../proof/contract-client.ts';
import { defineTenant, type TenantInput } from './define-tenant.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const umbrella = {
  tenant: 'umbrella',
  keys: [{ name: 'full', secret: 'umbrella-fake-secret', scopes: ['conversation:read'] }],
  labels: [{ id: uuid(1), name: 'vip', visibility: 'public' }],
  conversations: [{ id: uuid(2), subject: 'A leak', labels: ['vip'] }],
} satisfies TenantInput;

test('a tenant written in code is served', async () => {
  const mock = await createMock({ seeds: [await defineTenant(umbrella)] });
  const { call } = contractClient(mock, 'umbrella-fake-secret');
  const { body } = await call('getConversationContext', { params: { id: uuid(2) } });
  expect(body).toMatchObject({ subject: 'A leak', labels: ['vip'] });
});

test('names every problem with its record and field', async () => {
  const conversations = [{ id: uuid(2), labels: ['vipp'] }];
  const sites = [{ id: '1', clients: [{ client: 'ovcid-nobody' }] }];
  await expect(defineTenant({ ...umbrella, conversations, sites })).rejects.toMatchObject({
    problems: [
      expect.stringMatching(/^umbrella: sites\[0\]\.clients\[0\]\.client: no client .*ovcid-nobody/),
      expect.stringMatching(/^umbrella: conversations\[0\]\.labels\[0\]: .*vipp.*vip/),
    ],
  });
  await expect(defineTenant({ ...umbrella, sites: [{ id: '' }, { id: '1', labels: 'vip' as never }] })).rejects.toThrow(
    /sites\[0\]\.id: .*\n.*sites\[1\]\.labels: must be a list/,
  );
});

test('an unknown field is a compile error', () => {
  // @ts-expect-error: the compiler knows the fields
  expect(() => defineTenant({ ...umbrella, colour: 'red' })).toBeDefined();
});
