import { expect, test } from 'vitest';
import { createPartnerClient } from './partner-client.ts';

/** What the client does every day, for `partnerkit certify`: it brings the service, and what may go wrong there. */
const env = (name: string) => process.env[`PARTNERKIT_${name}`] ?? '';

test('a conversation is read and labelled, and a photo of its site is filed', { timeout: 30_000 }, async () => {
  const client = createPartnerClient({ baseUrl: env('URL'), apiKey: env('KEY') });
  const { labels } = await client.labels();
  const label = labels.find(({ name }: { name: string }) => name === env('LABEL_NAME'));
  await client.context(env('CONVERSATION'));
  await client.applyLabel(env('CONVERSATION'), label.id);
  const read = async () => new TextEncoder().encode('a photo of the meter');
  await client.upload(env('SITE'), { name: 'meter.png', contentType: 'image/png', read });
  await client.removeLabel(env('CONVERSATION'), label.id);
  const { labels: carried = [] } = await client.context(env('CONVERSATION'));
  expect(carried).not.toContain(label.name);
});
