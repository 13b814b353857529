import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../../spec/proof/on-loopback.ts';
import type { Measurement } from '../report/measurement.ts';
import { summaryOf } from '../report/summary.ts';
import { type PeerFiles, peerList } from '../server/peer-list.ts';
import { checkout } from '../server/program.ts';
import { setScene } from '../server/scene.ts';
import type { Fire } from '../traffic/fire.ts';
import type { Rounds } from './throughput.ts';

const folder = join(checkout, '.cache/peers/');

/** GET context of the mock, in requests per second, compared with other mocks that serve the same reply with their fastest settings. */
export async function peers(fire: Fire, { rounds, duration }: Rounds): Promise<Measurement[]> {
  await install();
  const scene = await setScene('context');
  const stops: (() => void)[] = [scene.stop];
  try {
    const sample = await fetch(scene.shot(scene.mock, 1).url, { headers: { ...scene.shot(scene.mock, 1).headers } });
    const { pathname } = new URL(sample.url);
    const files: PeerFiles = { folder, path: pathname, body: await sample.text() };
    const running: { readonly name: string; readonly url: string; readonly mock: number[]; readonly bare: number[] }[] =
      [];
    const failed: string[] = [];
    for (const { name, prepare } of peerList) {
      const port = await freePort();
      const { command, args, path = pathname } = await prepare(files, port);
      // In a group of its own: WireMock's program starts another, which would go on without it.
      const child = spawn(command, args, { cwd: folder, stdio: 'ignore', detached: true }).on('error', () => {});
      const kill = () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid);
        } catch {
          // It has ended already.
        }
      };
      stops.push(kill);
      process.once('exit', kill);
      const url = `http://127.0.0.1:${port}${path}`;
      if (await answers(url)) running.push({ name, url, mock: [], bare: [] });
      else failed.push(name);
    }
    const perSecond = async (url: string) => {
      const { perSecond, refused, requests } = await fire({ ...scene.shot(scene.mock, duration), url });
      if (requests === 0 || refused > 0) throw new Error(`${url}: ${refused} of ${requests} requests were refused`);
      return perSecond;
    };
    const [mockUrl, bareUrl] = [scene.shot(scene.mock, duration).url, scene.shot(scene.bare, duration).url];
    for (const url of [mockUrl, bareUrl, ...running.map((peer) => peer.url)]) await perSecond(url);
    for (let i = 0; i < rounds; i++) {
      const bareRate = await perSecond(bareUrl);
      for (const { url, mock, bare } of running) {
        const [mockRate, rate] = [await perSecond(mockUrl), await perSecond(url)];
        mock.push(mockRate / rate);
        bare.push(bareRate / rate);
      }
    }
    const lines = running.map(({ name, mock, bare }) => ({ name, figure: summaryOf(mock), limit: summaryOf(bare) }));
    const [fastest] = lines.toSorted((a, b) => a.figure.median - b.figure.median);
    if (fastest === undefined) throw new Error(`none of the peers started: ${failed.join(', ')}`);
    const limit = fastest.limit.median.toFixed(1);
    return [
      {
        goal: 'peers',
        figure: fastest.figure,
        unit: '×',
        detail: `requests counted; the fastest is ${fastest.name}${failed.length > 0 ? `; did not start: ${failed.join(', ')}` : ''}`,
        reason: `bare node:http, answering with fixed bytes, is itself ${limit} times as fast as ${fastest.name}`,
      },
      {
        goal: null,
        what: `bare node:http, against ${fastest.name}`,
        figure: fastest.limit,
        unit: '×',
        detail: 'requests counted: what no server on node:http can do better',
      },
      ...lines.map(({ name, figure }) => ({
        goal: null,
        what: `GET context, against ${name}`,
        figure,
        unit: '×',
        detail: 'requests counted',
      })),
    ];
  } finally {
    for (const stop of stops) stop();
  }
}

/** Into the cache, pinned: none of them is a dependency of this package. Those for Java need Maven, and are left out without. */
async function install(): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { jar } of peerList) {
    if (jar === undefined || existsSync(join(folder, `${jar.split(':').slice(1).join('-')}.jar`))) continue;
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
    const copy = [plugin, `-Dartifact=${jar}`, `-DoutputDirectory=${folder}`];
    await promisify(execFile)('mvn', ['-q', '-B', ...copy], { cwd: folder }).catch(() => undefined);
  }
  if (
    peerList.every(({ packages }) => packages.every((name) => existsSync(join(folder, 'node_modules', nameOf(name)))))
  )
    return;
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['install', '--no-audit', '--no-fund', '--no-save', '--legacy-peer-deps'];
  await promisify(execFile)('npm', [...flags, ...peerList.flatMap(({ packages }) => packages)], { cwd: folder });
}

const nameOf = (pinned: string) => pinned.slice(0, pinned.lastIndexOf('@'));

async function answers(url: string): Promise<boolean> {
  for (const until = performance.now() + 30_000; performance.now() < until; ) {
    const reply = await fetch(url).catch(() => null);
    await reply?.arrayBuffer();
    if (reply?.status === 200) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}
