import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { k6Version } from '../../../load/install-k6.ts';
import { onLoopback } from '../../../spec/proof/on-loopback.ts';

interface Mirror extends Disposable {
  /** For `K6_RELEASES`. */
  readonly url: string;
}

/** Serves a k6 of this machine as k6's release is served: an archive, and its checksum. */
export async function k6Mirror(k6: string): Promise<Mirror> {
  const release = `k6-v${k6Version}`;
  const name = `${release}-${process.platform === 'darwin' ? 'macos' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
  const folder = mkdtempSync(join(tmpdir(), 'partnerkit-k6-'));
  mkdirSync(join(folder, name));
  copyFileSync(k6, join(folder, name, 'k6'));
  execFileSync('tar', ['-czf', 'k6.tar.gz', name], { cwd: folder });
  const archive = readFileSync(join(folder, 'k6.tar.gz'));
  rmSync(folder, { recursive: true });
  const sum = createHash('sha256').update(archive).digest('hex');
  const served: Readonly<Record<string, string | Buffer>> = {
    [`/v${k6Version}/${release}-checksums.txt`]: `${sum}  ${name}.tar.gz\n`,
    [`/v${k6Version}/${name}.tar.gz`]: archive,
  };
  const server = createServer((request, response) => {
    const found = served[request.url ?? ''];
    response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  return {
    url: await onLoopback(server),
    [Symbol.dispose]: () => void server.close(),
  };
}
