import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../spec/redaction/redaction.ts';
import type { HookCall } from '../history/hook-call.ts';
import type { Command } from '../hooks/command.ts';
import { memoryJournal } from '../journal/write-journal.ts';
import { virtualEnvironment } from '../proof/trials/virtual-mock.ts';
import { createHookRunner } from './hook-runner.ts';

const secret = 'a-secret-that-nobody-shall-see';

function setUp(answer: (command: Command) => string | Error) {
  const commands: Command[] = [];
  const calls: HookCall[] = [];
  const journal = memoryJournal();
  const redaction = createRedaction();
  const environment = virtualEnvironment({
    seed: 1,
    answer: () => {
      throw new Error('nothing is sent');
    },
    command(command) {
      commands.push(command);
      const said = answer(command);
      return typeof said === 'string'
        ? { stdout: said, stderr: '', problem: null }
        : { stdout: '', stderr: `${secret}\n${said.message}`, problem: 'exit code 1' };
    },
  });
  const runner = createHookRunner({
    deployment: {
      hooks: { createKey: 'create', revokeKey: 'revoke', applyPrivateLabel: 'apply', removePrivateLabel: 'remove' },
      baseUrl: 'http://deployment.invalid',
    },
    environment,
    redaction,
    journal,
    timeout: () => 1_000,
    record: (call) => calls.push(call),
  });
  return { runner, commands, calls, journal, redaction };
}

const reveals = JSON.stringify({ id: 'k1', secret });

describe('hooks', () => {
  it('get their input as JSON and as variables', async () => {
    const { runner, commands } = setUp(() => reveals);
    await runner.run('createKey', 'acme', { name: 'n', scopes: ['site:read', 'site:write'] }, 's');
    expect(commands).toEqual([
      {
        line: 'create',
        input: '{"tenant":"acme","name":"n","scopes":["site:read","site:write"]}',
        timeoutMilliseconds: 1_000,
        variables: {
          PARTNERKIT_HOOK: 'createKey',
          PARTNERKIT_BASE_URL: 'http://deployment.invalid',
          PARTNERKIT_TENANT: 'acme',
          PARTNERKIT_NAME: 'n',
          PARTNERKIT_SCOPES: 'site:read site:write',
        },
      },
    ]);
  });

  it('return a secret to their script, and redact it in the history', async () => {
    const { runner, calls, redaction } = setUp(() => reveals);
    expect(await runner.run('createKey', 'acme', { name: 'n', scopes: [] }, 's')).toMatchObject({ secret });
    expect(JSON.stringify(calls)).not.toContain(secret);
    expect(redaction.apply(`x ${secret}`)).toBe('x $ACME_N_1_KEY');
  });

  it('are undone when their script ends, with values of their output', async () => {
    const { runner, commands, journal } = setUp(() => reveals);
    await runner.run('createKey', 'acme', { name: 'n', scopes: [] }, 's');
    expect(await journal.pending()).toEqual([{ tenant: 'acme', hook: 'revokeKey', input: { name: 'n', id: 'k1' } }]);
    await runner.undo('another');
    expect(commands).toHaveLength(1);
    await runner.undo('s');
    expect(commands.at(-1)).toMatchObject({ line: 'revoke', input: '{"tenant":"acme","name":"n","id":"k1"}' });
    expect(await journal.pending()).toEqual([]);
    expect(runner.left).toEqual([]);
  });

  it('are journaled before they are run, and undone even if they failed', async () => {
    const { runner, commands, journal } = setUp(({ line }) => (line === 'apply' ? new Error('no') : ''));
    const input = { record: 'site/1', label: 'l' };
    await expect(runner.run('applyPrivateLabel', 'acme', input, 's')).rejects.toThrow(
      'hooks.applyPrivateLabel failed: exit code 1 (no)',
    );
    expect(await journal.pending()).toHaveLength(1);
    await runner.undo('s');
    expect(commands.map(({ line }) => line)).toEqual(['apply', 'remove']);
    expect(await journal.pending()).toEqual([]);
  });

  it('are not undone again if the script has done so itself', async () => {
    const { runner, commands } = setUp(() => reveals);
    await runner.run('createKey', 'acme', { name: 'n', scopes: [] }, 's');
    await runner.run('revokeKey', 'acme', { id: 'k1', name: 'n' }, 's');
    await runner.undo('s');
    expect(commands.map(({ line }) => line)).toEqual(['create', 'revoke']);
  });

  it('report a change that could not be undone, and keep it in the journal', async () => {
    const { runner, journal } = setUp(({ line }) => (line === 'revoke' ? new Error('gone') : reveals));
    await runner.run('createKey', 'acme', { name: 'n', scopes: [] }, 's');
    await runner.undo('s');
    expect(runner.left).toEqual(['revokeKey of acme: name n, id k1: hooks.revokeKey failed: exit code 1 (gone)']);
    expect(await journal.pending()).toHaveLength(1);
  });

  it('fail if they print no usable secret', async () => {
    const { runner } = setUp(() => '{"id":"k1","secret":"two words"}');
    await expect(runner.run('createKey', 'acme', { name: 'n', scopes: [] }, 's')).rejects.toThrow(
      'hooks.createKey failed: the command printed no JSON with a secret',
    );
  });
});
