import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../../../spec/proof/processes.ts';

const clients = join(import.meta.dirname, 'clients');

export type Language = 'typescript' | 'python' | 'go' | 'java' | 'shell';

/** The command of the client in each language, compiled where need be, and which languages this machine lacks. */
export function openToolbox() {
  const temporary = temporaryFolder('clients');
  const folder = temporary.path;
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' });
  const prepare: Readonly<Record<Language, () => readonly string[]>> = {
    typescript: () => [process.execPath, join(clients, 'client.ts')],
    python() {
      run('python3', '--version');
      return ['python3', join(clients, 'client.py')];
    },
    go() {
      run('go', 'build', '-o', join(folder, 'client'), join(clients, 'client.go'));
      return [join(folder, 'client')];
    },
    java() {
      run('javac', '-d', folder, join(clients, 'Client.java'));
      return ['java', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-cp', folder, 'Client'];
    },
    shell() {
      run('curl', '--version');
      run('python3', '--version');
      return ['bash', join(clients, 'client.sh')];
    },
  };
  const commands = new Map<Language, readonly string[]>();
  const missing: string[] = [];
  for (const [language, prepared] of Object.entries(prepare)) {
    try {
      commands.set(language as Language, prepared());
    } catch (error) {
      missing.push(`${language} is left out: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
  }
  return { commands, missing, [Symbol.dispose]: temporary[Symbol.dispose] };
}
