import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../spec/proof/on-loopback.ts';
import { acme } from '../acme.ts';
import type { Fire } from './fire.ts';
import { type Measurement, median } from './measurement.ts';
import { type PeerFiles, peerList } from './peer-list.ts';
import { type PeerCommand, startPeer } from './peer-process.ts';
import { checkout, preparePackage, program } from './program.ts';
import { setScene } from './scene.ts';
import type { Rounds } from './throughput.ts';

const folder = join(checkout, '.cache/peers/');

/** GET context of the mock, in requests per second, compared with other mocks that serve the same reply with their fastest settings. */
export async function peers(fire: Fire, { rounds, duration }: Rounds): Promise<Measurement[]> {
  await install();
  const scene = await setScene('context');
  const stops: (() => void)[] = [scene.stop];
  try {
    const files = await filesFrom(scene);
    const running: { readonly name: string; readonly url: string; readonly ratios: number[] }[] = [];
    const failed: string[] = [];
    for (const peer of peerList) {
      const command = await commandOf(peer, files);
      const started = await startPeer(command);
      if (started === null) failed.push(peer.name);
      else {
        stops.push(started.stop);
        running.push({ name: peer.name, url: command.url, ratios: [] });
      }
    }
    if (running.length === 0) throw new Error(`none of the peers started: ${failed.join(', ')}`);
    const perSecond = async (url: string) => {
      const { perSecond, refused, requests } = await fire({ ...scene.shot(scene.mock, duration), url });
      if (requests === 0 || refused > 0) throw new Error(`${url}: ${refused} of ${requests} requests were refused`);
      return perSecond;
    };
    const { url: mockUrl } = scene.shot(scene.mock, duration);
    for (const url of [mockUrl, ...running.map((peer) => peer.url)]) await perSecond(url);
    for (let i = 0; i < rounds; i++) {
      for (const { url, ratios } of running) ratios.push((await perSecond(mockUrl)) / (await perSecond(url)));
    }
    return running
      .toSorted((a, b) => median(a.ratios) - median(b.ratios))
      .map(({ name, ratios }) => ({
        what: `GET context, against ${name}`,
        values: ratios,
        unit: '×',
        detail: `requests counted${failed.length > 0 ? `; did not start: ${failed.join(', ')}` : ''}`,
      }));
  } finally {
    for (const stop of stops) stop();
  }
}

/** How long the command of each mock takes to its first reply, and what is resident then. Ours starts as users start it. */
export async function peerStarts(rounds: number): Promise<Measurement[]> {
  preparePackage();
  await install();
  const scene = await setScene('context');
  const files = await filesFrom(scene).finally(scene.stop);
  const own = async () => {
    const port = await freePort();
    const args = [program, 'mock', '--port', String(port), '--quiet'];
    const url = `http://127.0.0.1:${port}/v1/health`;
    return { command: process.execPath, args, cwd: checkout, url, headers: { 'x-api-key': acme.full } };
  };
  const all = [
    { name: 'partnerkit', commandOf: own },
    ...peerList.map((peer) => ({ name: peer.name, commandOf: () => commandOf(peer, files) })),
  ].map((one) => ({ ...one, took: [] as number[], resident: [] as number[] }));
  for (let i = 0; i < rounds; i++)
    for (const { commandOf, took, resident } of all) {
      const peer = await startPeer(await commandOf());
      if (peer === null) continue;
      took.push(peer.took);
      resident.push((await peer.resident()) / 2 ** 20);
      peer.stop();
    }
  return all
    .filter(({ took }) => took.length > 0)
    .flatMap(({ name, took, resident }) => [
      { what: `start of ${name}`, values: took, unit: 'ms', detail: 'to the first reply 200' },
      {
        what: `resident: ${name}`,
        values: resident,
        unit: 'MB',
        detail: 'all its processes, after that reply',
      },
    ]);
}

/** The reply of our mock, which the others must serve. */
async function filesFrom({ shot, mock }: Awaited<ReturnType<typeof setScene>>): Promise<PeerFiles> {
  const { url, headers } = shot(mock, 1);
  const reply = await fetch(url, { headers: { ...headers } });
  return { folder, path: new URL(url).pathname, body: await reply.text() };
}

async function commandOf({ prepare }: (typeof peerList)[number], files: PeerFiles): Promise<PeerCommand> {
  const port = await freePort();
  const { command, args, path = files.path } = await prepare(files, port);
  return { command, args, cwd: folder, url: `http://127.0.0.1:${port}${path}` };
}

/** Into the cache, pinned: none of them is a dependency of this package. */
async function install(): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (
    peerList.every(({ packages }) => packages.every((name) => existsSync(join(folder, 'node_modules', nameOf(name)))))
  )
    return;
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['install', '--no-audit', '--no-fund', '--no-save', '--legacy-peer-deps'];
  await promisify(execFile)('npm', [...flags, ...peerList.flatMap(({ packages }) => packages)], { cwd: folder });
}

const nameOf = (pinned: string) => pinned.slice(0, pinned.lastIndexOf('@'));
