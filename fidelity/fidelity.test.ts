import { expect, it } from 'vitest';
import { judge } from '../conformance/index.ts';
import { profileOf } from '../conformance/profile.ts';
import { type Honest, named, tryDefect, tryVariant } from '../conformance/proof/trials/trial.ts';
import { legalVariants } from '../mock/wrong/habits/index.ts';
import type { Asked } from '../mock/wrong/tampering/tamper.ts';
import type { RuleId } from '../spec/rules.ts';
import { type FidelityOptions, measureFidelity } from './fidelity.ts';
import { withMadeTexts } from './made-texts.ts';
import { recordingOf } from './recording.ts';
import { replay } from './replay.ts';
import { fidelityFormats } from './report.ts';
import { seenIn } from './seen.ts';

// Slow, because it runs scripts against deployments, and replays what they answered.

/** A part of a run that calls every operation, and acts inside the product. */
const rules = new Set<RuleId>([
  'context/get-answers-context',
  'labels/private-never-in-a-reply',
  'errors/unknown-is-404',
  'upload/register-takes-file-key',
  'upload/content-type-is-required',
  'service/reference-endpoints',
]);

/** Measures a deployment, and learns what differs. */
async function fidelityOf(variant: Honest | null, options: Partial<FidelityOptions> = {}) {
  const { history } =
    variant === null
      ? await tryDefect(null, { rules: new Set([...rules, 'limiter/burst']) })
      : await tryVariant(variant, { rules });
  const learnFrom = profileOf(judge(history), history.known.target);
  return measureFidelity(recordingOf(history), { source: 'run.jsonl', learnFrom, ...options });
}

it('finds the mock alike to itself, in every reply', async () => {
  const report = await fidelityOf(null);
  expect(report.ways).toEqual([]);
  expect(report.alike).toBe(report.compared);
  expect(report.compared).toBeGreaterThan(500);
  expect(report.operations.length).toBeGreaterThan(12);
  expect(fidelityFormats.text(report)).toContain('replies alike (100%)');
});

it('answers alike with the fixtures that are written, but for the texts', async () => {
  const { history } = await tryDefect(null, { rules });
  const recording = recordingOf(history);
  const seen = await seenIn(recording);
  const made = { ...seen, seeds: await withMadeTexts(seen.seeds) };
  expect(JSON.stringify(made.seeds)).not.toContain('Whitfield');
  const replayed = await replay(recording, made);
  expect(replayed.flatMap(({ differences }) => differences)).toEqual([]);
});

it.each(['422-for-400', 'bare-arrays', 'behind-a-gateway'])(
  'finds a deployment that is %s alike after learning from it',
  async (id) => {
    const report = await fidelityOf(named(legalVariants, id));
    expect(report.alike).toBeLessThan(report.compared);
    expect(report.learned?.alike).toBe(report.learned?.compared);
  },
);

/** A reply of one operation with other properties. */
const inBody =
  (operation: Asked['id'], change: (body: Record<string, unknown>) => object): NonNullable<Honest['around']> =>
  ({ handle }) =>
  async (request, trace) => {
    const reply = await handle(request, trace);
    if (trace?.operationId !== operation || reply.status !== 200) return reply;
    return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body ?? '{}'))) };
  };

it('learns properties, forms, headers, words and latencies, and says what no profile can', async () => {
  const site = inBody('getSite', ({ clients, ...body }) => ({
    ...body,
    state: 'ACTIVE',
    owner: { name: 'Zdenka' },
    clients: (clients as object[]).map((client) => ({ ...client, isPrimary: undefined })),
  }));
  const client = inBody('getClient', (body) => ({ data: { ...body, name: 5 } }));
  const conversation = inBody('getConversation', (body) => ({ ...body, updatedAt: null }));
  const report = await fidelityOf({
    id: 'ours',
    does: 'is ours',
    network: { latency: () => 40 },
    around: (scene) => {
      const bodies = [site, client, conversation].reduce(
        (handle, around) => around({ ...scene, handle }),
        scene.handle,
      );
      return async (request, trace) => {
        const reply = await bodies(request, trace);
        if (request.url.startsWith('/storage')) return reply;
        return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-store', vary: 'origin' } };
      };
    },
  });
  const { profile, ...figure } = report.learned ?? {};
  expect(figure).toEqual({ alike: report.compared, compared: report.compared });
  expect(profile).toMatchObject({
    headers: { 'cache-control': 'no-store' },
    bodies: {
      getSite: { add: { owner: { name: expect.any(String) } }, omit: ['clients[].isPrimary'] },
      getClient: { in: 'data', replace: { 'data.name': 1 } },
      getConversation: { add: { updatedAt: null } },
    },
    latency: { getHealth: { median: expect.any(Number) } },
  });
  expect(JSON.stringify(profile)).not.toContain('Zdenka');
});

it('shows each way with its two replies, whether a profile could say it, and exits by --at-least', async () => {
  const lost = inBody('getConversationContext', (body) => ({ ...body, labels: [] }));
  const report = await fidelityOf({ id: 'ours', does: 'is ours', around: lost }, { atLeast: 1, learnFrom: undefined });
  expect(report.exitCode).toBe(1);
  const way = report.ways.find(({ subject }) => subject === 'getConversationContext');
  expect(way).toMatchObject({
    subject: 'getConversationContext',
    profile: null,
    why: expect.stringMatching(/records/),
  });
  expect(way?.exchanges).toHaveLength(2);
  expect(fidelityFormats.text(report)).toMatch(
    /\d\. getConversationContext: .*\n {3}#\d+ GET .*\n {5}recorded 200 .*\n {5}mock {5}200 /,
  );
  expect(fidelityFormats.html(report)).toContain('<div class="sides">');
  expect(JSON.parse(fidelityFormats.badge(report))).toMatchObject({ label: 'mock fidelity' });
  expect(JSON.parse(fidelityFormats.json(report)).ways).toHaveLength(report.ways.length);
});

it('takes no personal text into a profile, and shows no cookie', async () => {
  const report = await fidelityOf({
    id: 'ours',
    does: 'is ours',
    around: (scene) => {
      const site = inBody('getSite', (body) => ({ ...body, 'zdenka@mail.example': 1, owner: 'ZDENKA' }))(scene);
      return async (request, trace) => {
        const reply = await site(request, trace);
        const headers = { ...reply.headers, deprecation: 'ask zdenka@mail.example', 'set-cookie': 'sid=zdenka' };
        const body = reply.body?.replace(/"message":"[^"]*/, '"message":"No, ask zdenka@mail.example') ?? null;
        return { ...reply, headers, body: reply.status === 404 ? body : reply.body };
      };
    },
  });
  expect(JSON.stringify(report.learned?.profile)).not.toMatch(/zdenka/i);
  expect(new Set(report.ways.map(({ at, why }) => `${at}: ${why}`))).toEqual(
    new Set([
      'header deprecation: this value may tell of a person, and a profile is committed',
      'body.zdenka@mail.example: this name of a property is data itself, such as a mail address',
      'body.owner: null',
    ]),
  );
  expect(JSON.stringify(report.ways)).not.toContain('sid=');
});

it('does not take what only begins like a link for a page', async () => {
  const broken = inBody('listLabels', ({ labels }) => ({
    labels: (labels as object[]).slice(0, 2),
    next: 'https://[',
  }));
  const { ways } = await fidelityOf({ id: 'ours', does: 'is ours', around: broken }, { learnFrom: undefined });
  expect(ways.map(({ at }) => at)).toContain('body.next');
});
