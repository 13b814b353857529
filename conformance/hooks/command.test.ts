import { describe, expect, it } from 'vitest';
import { runCommand } from './command.ts';

const run = (line: string, more: Partial<Parameters<typeof runCommand>[0]> = {}) =>
  runCommand({ line, input: '{"id":"k1"}', variables: { PARTNERKIT_ID: 'k1' }, timeoutMilliseconds: 20_000, ...more });

describe.skipIf(process.platform === 'win32')('a command of the target file', () => {
  it('gets its input on stdin and as variables, and its output is returned', async () => {
    expect(await run('cat; echo " $PARTNERKIT_ID"')).toEqual({ stdout: '{"id":"k1"} k1\n', stderr: '', problem: null });
  });

  it('is reported with the reason when it fails', async () => {
    expect(await run('echo no >&2; exit 3')).toEqual({ stdout: '', stderr: 'no\n', problem: 'exit code 3' });
    expect((await run('no-such-command-anywhere')).problem).toBe('exit code 127');
  });

  it('is ended with all that it has started when it takes too long', async () => {
    // Child processes hold the output open, so the promise resolves only when all of them have ended.
    expect((await run('sleep 60 & wait', { timeoutMilliseconds: 200 })).problem).toBe('not done within 200 ms');
  });

  it('is ended when it prints without end', async () => {
    expect((await run('yes')).problem).toBe('the command printed more than 1000000 bytes');
  });

  it('is reported when it cannot be started with the output of another command', async () => {
    const given = (id: string) => run('true', { variables: { PARTNERKIT_ID: id } });
    const problem = expect.stringContaining('cannot be started');
    expect(await given('a\0b')).toMatchObject({ problem });
    expect(await given('x'.repeat(3_000_000))).toMatchObject({ problem });
  });

  it('may leave its input unread', async () => {
    expect((await run('exit 0', { input: 'x'.repeat(10_000_000) })).problem).toBeNull();
  });
});
