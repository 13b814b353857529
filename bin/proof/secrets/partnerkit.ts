import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { saidBy } from '../../../spec/proof/processes.ts';
import { program } from '../../release/program.ts';

/** Runs the command in a folder. @param signal ends it as Ctrl-C does */
export async function partnerkit(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onOutput: (output: string, stop: () => void) => void = () => {},
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, DEBUG: '*', NODE_DEBUG: '', ...env },
  });
  const { code, said } = await saidBy(child, (output) => onOutput(output, () => child.kill('SIGINT')));
  return { args, code, output: said };
}

/** Every file below a folder, as text; what is compressed is unpacked. */
export function filesBelow(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    files.set(name, (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1'));
  }
  return files;
}
