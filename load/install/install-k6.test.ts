import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { onLoopback } from '../../spec/proof/on-loopback.ts';
import { installK6 } from './install-k6.ts';
import { k6Version } from './k6-version.ts';

const folder = mkdtempSync(join(tmpdir(), 'partnerkit-install-'));
afterAll(() => rmSync(folder, { recursive: true }));

const machine = process.arch === 'arm64' ? 'arm64' : 'amd64';
const name = `k6-v${k6Version}-linux-${machine}`;

/** A made-up release: a program of one line, packed as k6 is. */
const archive = (() => {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'k6'), '#!/bin/sh\necho released\n', { mode: 0o755 });
  execFileSync('tar', ['-czf', 'release.tar.gz', name], { cwd: folder });
  return readFileSync(join(folder, 'release.tar.gz'));
})();
const sums = (sum: string) => `${'0'.repeat(64)}  k6-v${k6Version}-macos-arm64.zip\n${sum}  ${name}.tar.gz\n`;
const right = sums(createHash('sha256').update(archive).digest('hex'));

/** A Go that builds at once. */
const go = (() => {
  const bin = join(folder, 'go-bin');
  mkdirSync(bin);
  const script = `#!/bin/sh
case "$1" in
  mod) echo '{"Dir": "${folder}"}' ;;
  list) printf 'a\\nb\\n' ;;
  build) echo a >&2; echo b >&2; while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\necho built\\n' > "$2"; /bin/chmod +x "$2" ;;
esac`;
  writeFileSync(join(bin, 'go'), script);
  chmodSync(join(bin, 'go'), 0o755);
  return bin;
})();

let rounds = 0;
async function install(listener: RequestListener, { path = '/nowhere', silenceMs = 60_000 } = {}) {
  const server = createServer(listener);
  const url = await onLoopback(server);
  rounds += 1;
  const into = join(folder, `into-${rounds}`);
  const [said, problems]: [string[], string[]] = [[], []];
  try {
    const installed = await installK6({
      env: { PATH: path, K6_RELEASES: `${url}/mirror/` },
      into,
      silenceMs,
      onProgress: (text) => said.push(text),
      onProblem: (text) => problems.push(text),
    });
    const runs = execFileSync(installed.path, { encoding: 'utf8' }).trim();
    return { runs, by: installed.by, error: '', said, problems, left: readdirSync(into) };
  } catch (error) {
    return { runs: '', by: undefined, error: String(error), said, problems, left: readdirSync(into) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const serving =
  (text: string, bytes: Buffer = archive): RequestListener =>
  ({ url }, response) => {
    if (url === `/mirror/v${k6Version}/k6-v${k6Version}-checksums.txt`) response.end(text);
    else if (url === `/mirror/v${k6Version}/${name}.tar.gz`) response.end(bytes);
    else response.writeHead(404).end();
  };

const cutOff: RequestListener = (request, response) => {
  if (request.url?.endsWith('.txt')) response.end(right);
  else
    response
      .writeHead(200, { 'content-length': archive.length })
      .write(archive.subarray(0, 50), () => response.destroy());
};
const silent: RequestListener = (request, response) => {
  if (request.url?.endsWith('.txt')) response.end(right);
  else response.writeHead(200, { 'content-length': archive.length }).write(archive.subarray(0, 50));
};

// The release is unpacked by the system's tar; what is made up here is a release for Linux.
test.runIf(process.platform === 'linux')('installs the release if its checksum is right', async () => {
  const { runs, by, problems, said } = await install(serving(right), { path: go });
  expect({ runs, by, problems }).toEqual({ runs: 'released', by: 'release', problems: [] });
  expect(said.at(-1)).toMatch(/^0 of 0 MB of k6/);
});

test.runIf(process.platform === 'linux').each<[string, RequestListener, RegExp, { silenceMs?: number }?]>([
  ['a wrong checksum', serving(sums('f'.repeat(64))), /has the SHA-256 [0-9a-f]{64}, not f{64}: it is not used/],
  ['a release without this system', serving('0  other.tar.gz\n'), /has no checksum of k6-v.*-linux-/],
  ['no release', (_, response) => void response.writeHead(404).end(), /checksums\.txt: answered 404/],
  ['a release that is cut off', cutOff, /tar\.gz: (other side closed|terminated)/],
  // Long, because on a busy machine half a second passes before the checksums come.
  ['a server that falls silent', silent, /tar\.gz: no byte came for 5 s/, { silenceMs: 5_000 }],
  ['a server that never answers', () => {}, /checksums\.txt: no byte came for 0\.5 s/, { silenceMs: 500 }],
  [
    'a page in place of the release',
    serving(sums(createHash('sha256').update('<p>').digest('hex')), Buffer.from('<p>')),
    /tar could not unpack/,
  ],
])('%s: it is said, and Go builds k6', async (_, listener, problem, options) => {
  const { runs, by, problems, said } = await install(listener, { path: go, ...options });
  expect({ runs, by }).toEqual({ runs: 'built', by: 'go' });
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(said.at(-1)).toBe('building with Go: 2 of at most 2 packages');
});

test('names both and leaves nothing behind if there is neither a release nor Go', async () => {
  const { error, left, problems } = await install(serving(sums('f'.repeat(64))));
  expect(problems).toEqual([expect.stringMatching(/it is not used$/)]);
  expect(error).toMatch(/k6 was not installed: go is not installed; install it by hand/);
  expect(left).toEqual([]);
});
