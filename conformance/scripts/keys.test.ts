import { expect, it } from 'vitest';
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
