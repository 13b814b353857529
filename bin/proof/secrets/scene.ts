import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse, stringify } from 'yaml';
import { listen } from '../../../mock/adapters/node-http.ts';
import { createMock, type Mock } from '../../../mock/index.ts';
import { defaultSeeds } from '../../../mock/seed/generated/tenants.ts';
import type { TargetInput } from '../../../spec/files/target.ts';
import { saidBy, temporaryFolder } from '../../../spec/proof/processes.ts';
import { forms } from '../../../spec/proof/secret-forms.ts';
import { program } from '../../release/program.ts';

/** A secret that is found wherever it is: unlike any other text, and with everything that formats write differently. */
export function newCanary(): string {
  const specials = ['', '"', '\\', '<', '&', '>', '%', '+', '/', '=', "'", '$', ''];
  return specials.map((special) => special + randomBytes(2).toString('hex')).join('');
}

/** A deployment whose keys are canaries, and a folder with target files for it. */
export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Quotes the key that was sent: in every refusal in every form, as the code of the error, and in a header of every reply by value and name. */
const quoting =
  (handle: Mock['handle']): Mock['handle'] =>
  async (request, trace) => {
    const reply = await handle(request, trace);
    const key = request.headers['x-api-key'] ?? '';
    if (key === '') return reply;
    const headers = { ...reply.headers, 'x-echo': key, [`x-${Buffer.from(key).toString('hex')}`]: 'yes' };
    if (reply.status < 400) return { ...reply, headers };
    const message = Object.values(forms)
      .map((write) => write(key))
      .join(' and ');
    return {
      ...reply,
      headers,
      body: JSON.stringify({ error: { code: key, message: `no ${message} here, a${key}b` } }),
    };
  };

/** Starts the deployment on loopback. */
export async function createScene() {
  const canaryOf = new Map<string, string>();
  const seeds = defaultSeeds.map((seed) => ({
    ...seed,
    keys: seed.keys.map((key) => {
      const canary = newCanary();
      canaryOf.set(key.secret, canary);
      return { ...key, secret: canary };
    }),
  }));
  const mock = await createMock({ seeds, rateLimit: { perSecond: 1_000, burst: 1_000 } });
  const { url, close } = await listen({ ...mock, handle: quoting(mock.handle) }, { port: 0, host: '127.0.0.1' });
  const folder = temporaryFolder('secrets');
  const packaged: TargetInput = parse(
    readFileSync(join(import.meta.dirname, '../../../fixtures/mock.target.yaml'), 'utf8'),
  );
  const [first = ''] = canaryOf.values();
  const target: TargetInput = {
    ...packaged,
    baseUrl: url,
    tenants: packaged.tenants.map((tenant) => ({
      ...tenant,
      keys: tenant.keys.map((key) => ({
        ...key,
        // The first comes from the environment, the others stand in the file.
        secret: canaryOf.get(key.secret) === first ? `\${CANARY}` : (canaryOf.get(key.secret) ?? key.secret),
        rateLimit: { perSecond: 1_000, burst: 1_000 },
      })),
    })),
  };
  return {
    folder: folder.path,
    url,
    /** What may show nowhere. */
    canaries: [...canaryOf.values()],
    /** The environment that the target files ask for. */
    env: { CANARY: first },
    writeTarget(name: string, change = (same: TargetInput): unknown => same) {
      writeFileSync(folder.at(name), stringify(change(target)));
    },
    async [Symbol.asyncDispose]() {
      await close();
      await mock.close();
      folder[Symbol.dispose]();
    },
  };
}

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
