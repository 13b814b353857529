import { expect, it } from 'vitest';
import type { Around } from '../../mock/wrong/tampering/defect.ts';
import { tryDefect } from '../proof/trials/trial.ts';
import { judgeHistory } from '../verdict/judge.ts';

it.each(['conversation:read', 'siteFile:write'])('sees new keys that have %s, whatever was chosen', async (scope) => {
  const product = (does: (hook: string, input: object) => unknown) => (hook: string, input: { scopes?: string[] }) =>
    does(hook, hook === 'createKey' ? { ...input, scopes: [...(input.scopes ?? []), scope] } : input);
  const rules = new Set(['keys/created-with-name-and-scopes'] as const);
  const { history } = await tryDefect({ product } as never, { rules });
  const [result] = judgeHistory(history, { only: [...rules] }).filter(({ id }) => rules.has(id as never));
  expect(result?.outcome).toBe('fail');
});

it('sees limits that are read with the first request and not again', async () => {
  const used = new Set<string | undefined>();
  const around: Around =
    ({ handle }) =>
    (request, trace) => {
      used.add(request.headers['x-api-key']);
      return handle(request, trace);
    };
  const secrets = new Map<string, string>();
  const product = (does: (hook: string, input: object) => unknown) => (hook: string, input: { id?: string }) => {
    if (hook === 'raiseLimit' && used.has(secrets.get(input.id ?? ''))) return;
    const output = does(hook, input) as { id: string; secret: string };
    if (hook === 'createKey') secrets.set(output.id, output.secret);
    return output;
  };
  const rules = new Set(['limiter/limits-can-be-raised'] as const);
  const { history } = await tryDefect({ around, product } as never, { rules });
  const [result] = judgeHistory(history, { only: [...rules] }).filter(({ id }) => rules.has(id as never));
  expect(result?.outcome).toBe('fail');
});
