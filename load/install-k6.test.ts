import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { onLoopback } from '../spec/proof/processes.ts';
import { installK6, k6Version } from './install-k6.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-install-'));
afterAll(() => rmSync(folder, { recursive: true }));

const name = `k6-v${k6Version}-linux-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;

/** A made-up release: a program of one line, packed as k6 is. */
const archive = (() => {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'k6'), '#!/bin/sh\necho released\n', { mode: 0o755 });
  execFileSync('tar', ['-czf', 'release.tar.gz', name], { cwd: folder });
  return readFileSync(join(folder, 'release.tar.gz'));
})();
const sumOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** A Go that builds at once. */
const go = (() => {
  const bin = join(folder, 'go-bin');
  mkdirSync(bin);
  const script = `#!/bin/sh
case "$1" in
  mod) echo '{"Dir": "${folder}"}' ;;
  build) while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\necho built\\n' > "$2"; /bin/chmod +x "$2" ;;
esac`;
  writeFileSync(join(bin, 'go'), script, { mode: 0o755 });
  return bin;
})();

/** Serves a release with this checksum and this archive. */
const serving =
  (sum: string, bytes: Buffer | string = archive): RequestListener =>
  ({ url }, response) => {
    if (url === `/mirror/v${k6Version}/k6-v${k6Version}-checksums.txt`) response.end(`0  other.zip\n${sum}\n`);
    else if (url === `/mirror/v${k6Version}/${name}.tar.gz`) response.end(bytes);
    else response.writeHead(404).end();
  };

async function install(listener: RequestListener, path = go) {
  const server = createServer(listener);
  const url = await onLoopback(server);
  const into = mkdtempSync(join(folder, 'into-'));
  const said: string[] = [];
  const env = { PATH: path, K6_RELEASES: `${url}/mirror/` };
  try {
    const installed = await installK6({ env, into, say: (text) => said.push(text) }).catch(String);
    const runs = installed.startsWith(into) ? execFileSync(installed, { encoding: 'utf8' }).trim() : installed;
    return { runs, said: said.join('\n'), left: readdirSync(into) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

// The system's tar unpacks the release; what is made up here is a release for Linux.
test.runIf(process.platform === 'linux')('installs the release if its checksum is right', async () => {
  expect(await install(serving(`${sumOf(archive)}  ${name}.tar.gz`))).toMatchObject({ runs: 'released', left: ['k6'] });
});

const page = '<p>';
test.runIf(process.platform === 'linux').each<[string, RequestListener, RegExp]>([
  ['a wrong checksum', serving(`${'f'.repeat(64)}  ${name}.tar.gz`), /has the SHA-256 [0-9a-f]{64}, not that/],
  ['a release without this system', serving('0  another.tar.gz'), /has no checksum of k6-v.*-linux-/],
  ['no release', (_, response) => void response.writeHead(404).end(), /checksums\.txt: answered 404/],
  ['a page in its place', serving(`${sumOf(page)}  ${name}.tar.gz`, page), /tar/],
])('%s: it is said, and Go builds k6', async (_, listener, problem) => {
  const { runs, said } = await install(listener);
  expect(runs).toBe('built');
  expect(said).toMatch(problem);
});

test('leaves nothing behind if there is neither a release nor Go', async () => {
  const { runs, left } = await install(serving(''), '/nowhere');
  expect(runs).toMatch(/k6 was not installed: Go is not installed; install it by hand/);
  expect(left).toEqual([]);
});
