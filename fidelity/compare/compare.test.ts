import { expect, it } from 'vitest';
import { memoryJournal } from '../../conformance/journal/write-journal.ts';
import { type VirtualMockOptions, virtualMock } from '../../conformance/proof/trials/virtual-mock.ts';
import { defaultSeeds } from '../../mock/seed/generated/tenants.ts';
import { wrong } from '../../mock/wrong/wrong.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import { type CompareOptions, compareDeployments, type Way } from './compare.ts';
import { describedLike } from './mock-side.ts';
import { stepWords } from './steps.ts';
import { comparedText } from './text.ts';

async function side(baseUrl: string, options: VirtualMockOptions = {}) {
  const { mock, environment, target } = await virtualMock(options);
  return { mock, environment, journal: memoryJournal(), target: { ...target, baseUrl } };
}

async function compared(options: VirtualMockOptions, more: Partial<CompareOptions> = {}) {
  const [a, b] = [await side('http://a.example'), await side('http://b.example', options)];
  const labels = async () => Promise.all([a, b].map(async ({ mock }) => withoutUse((await mock.snapshot()).tenants)));
  const before = await labels();
  const result = await compareDeployments(a, b, { kit: 'test', seed: 7, sequences: 150, steps: 10, ...more });
  const pending = [...(await a.journal.pending()), ...(await b.journal.pending())];
  return { ...result, pending, before, after: await labels(), told: result.ways.map(told), a, b };
}

const told = ({ difference: { at, recorded, mock }, sequence }: Way) => [
  `${at}: ${recorded}, ${mock}`,
  ...sequence.map(({ step }) => stepWords(step)),
];

const withoutUse = (tenants: unknown) =>
  JSON.parse(JSON.stringify(tenants, (name, value) => (/lastUsedAt|bucket|files/.test(name) ? undefined : value)));

it('finds no difference between two that are alike, and leaves both as they were', async () => {
  const { ways, replies, stopped, left, pending, before, after } = await compared({});
  expect([ways, stopped, left, pending]).toEqual([[], null, [], []]);
  expect(replies.alike).toBeGreaterThan(500);
  expect(after).toEqual(before);
});

it('calls the labels of a mock as its fixture does, where their names were made', async () => {
  const { mock, target } = await virtualMock();
  const seeds = defaultSeeds.map(({ labels, ...seed }) => ({
    ...seed,
    labels: labels.map((label) => ({ ...label, name: `made ${label.name}` })),
  }));
  const [tenant] = describedLike(target, mock, seeds, 'http://b.example').tenants;
  const { spareLabel, privateLabels } = target.tenants[0] ?? {};
  expect(tenant?.spareLabel).toEqual({ ...spareLabel, name: `made ${spareLabel?.name}` });
  expect(tenant?.privateLabels?.map(({ name }) => name)).toEqual(privateLabels?.map(({ name }) => `made ${name}`));
});

it('shows each difference once, by the shortest sequence', async () => {
  const profile: Profile = {
    errors: {
      'no-key': { status: 403, code: 'NO_KEY' },
    },
    upload: { registerBeforePut: { status: 409, code: 'NOT_STORED' } },
  };
  const { told } = await compared({ profile }, { allowLeftovers: true, sequences: 400 });
  expect(told).toHaveLength(2);
  expect(told.find(([first]) => first === 'body.error.code: FORBIDDEN, NO_KEY')).toHaveLength(2);
  expect(told.find(([first]) => first === 'status: 422 UNPROCESSABLE_ENTITY, 409 NOT_STORED')).toEqual([
    expect.anything(),
    expect.stringMatching(/^startSiteFileUpload on \w+-site$/),
    expect.stringMatching(/^registerSiteFile on \w+-site of the file$/),
  ]);
});

it('finds what takes several requests, and the same with the same seed', async () => {
  const options = { wrong: wrong('labels/apply-hits-a-neighbour') };
  const { told } = await compared(options, { sequences: 600 });
  const [words] = told;
  const record = words?.[3]?.replace('getConversationContext on ', '');
  expect(words).toEqual([
    'body.labels[]: an item, nothing',
    `applyConversationLabel on ${record}`,
    `applyConversationLabel on ${record === 'open-conversation' ? 'closed' : 'open'}-conversation`,
    `getConversationContext on ${record}`,
  ]);
  expect((await compared(options, { sequences: 600 })).told).toEqual(told);
});

it('writes nothing with readOnly', async () => {
  const { before, after, replies } = await compared({}, { readOnly: true });
  expect(replies.alike).toBeGreaterThan(500);
  expect(after).toEqual(before);
  const { told } = await compared({ wrong: wrong('labels/applySiteLabel-answers-410') }, { readOnly: true });
  expect(told).toEqual([]);
});

it('ends within its time, and when it is interrupted', async () => {
  const brief = await compared({}, { sequences: 10_000, maxDuration: 40_000 });
  expect(brief.stopped).toBeNull();
  expect(brief.sequences).toBeLessThan(10_000);
  expect(comparedText(brief, { name: 'a', ...brief.a }, { name: 'b', ...brief.b })).toContain('before 10000 sequences');
  expect([brief.left, brief.pending]).toEqual([[], []]);
  const ended = new AbortController();
  let told = 0;
  const onProgress = () => ++told === 20 && ended.abort();
  const interrupted = await compared({}, { signal: ended.signal, onProgress, sequences: 10_000 });
  expect(interrupted.stopped).toBe('interrupted');
  expect([interrupted.left, interrupted.pending]).toEqual([[], []]);
});

it('refuses to compare a deployment with itself', async () => {
  const one = await side('http://a.example');
  await expect(compareDeployments(one, one, { kit: 'test', seed: 1, sequences: 1, steps: 1 })).rejects.toThrow(
    'A and B are the same deployment',
  );
});
