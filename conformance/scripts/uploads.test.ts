import { expect, it } from 'vitest';
import { bytesOf, json, wholeBody } from '../../mock/message.ts';
import { objectOf } from '../../mock/wrong/tampering/json-value.ts';
import { onReply, bytesOf as sentBytes } from '../../mock/wrong/tampering/tamper.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { gather } from '../run/run.ts';
import { judgeBy, lawOf } from '../verdict/judge.ts';
import { begin } from './upload-steps.ts';

it('waits wherever it registers a file: the bytes may be seen a moment later', async () => {
  const firstTried = new Map<string, number>();
  let now = () => 0;
  const { environment, target } = await virtualMock({
    latency: () => 40,
    around:
      ({ handle }) =>
      async (request) => {
        if (request.method !== 'POST' || !request.url.endsWith('/file') || request.body === null)
          return handle(request);
        const bytes = await bytesOf(request.body);
        const name = new TextDecoder().decode(bytes);
        const first = firstTried.get(name) ?? now();
        firstTried.set(name, first);
        const isEarly = now() - first < 1_500;
        const reply = await (isEarly ? null : handle({ ...request, body: wholeBody(bytes) }));
        return reply ?? json(422, { error: { code: 'UNPROCESSABLE_ENTITY', message: 'no bytes yet' } });
      },
  });
  now = environment.now;
  const rule = 'upload/register-takes-file-key';
  const options = { environment, journal: memoryJournal(), kit: 'test', rules: new Set([rule] as const) };
  const history = await gather(target, { ...options, allowLeftovers: true });
  expect(judgeBy(lawOf(rule), history).outcome).toBe('pass');
});

it('an upload that something refuses to start for a while is started once more, but not again and again', async () => {
  const startedAfter = async (startWaits: number) => {
    const statuses = [403, 201];
    const send = async () => ({ status: statuses.shift() });
    const bench = { send, sleep: async () => {}, scene: { planning: false }, state: { startWaits } };
    return (await begin(bench as never, {} as never)).status;
  };
  expect([await startedAfter(0), await startedAfter(2)]).toEqual([201, 403]);
});

it.each([
  ['a file that is lost when another is started', 'upload/register-takes-file-key'],
  ['a large file that is stored and cannot be registered', 'upload/file-may-exceed-10mb'],
] as const)('sees %s', async (_, rule) => {
  const large = new Set<unknown>();
  const latest = new Map<string | undefined, unknown>();
  const around = onReply(({ id, params, reply, ok, request }) => {
    if (!ok) return undefined;
    if (id === 'startSiteFileUpload') latest.set(params.id, objectOf(reply).fileKey);
    if (id === 'storage' && sentBytes(request).length > 1e7) large.add(/[0-9a-f-]{36}/.exec(request.url)?.[0]);
    const { fileKey } = id === 'registerSiteFile' ? objectOf(reply) : {};
    const isLost = rule === 'upload/file-may-exceed-10mb' ? large.has(fileKey) : latest.get(params.id) !== fileKey;
    return fileKey !== undefined && isLost ? json(413, { error: { code: 'LOST', message: 'lost' } }) : undefined;
  });
  const { history } = await tryDefect({ around } as never, { allowLeftovers: true });
  expect(judgeBy(lawOf(rule), history).outcome).toBe('fail');
});
