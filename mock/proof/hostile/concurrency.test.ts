import { afterEach, describe, expect, it } from 'vitest';
import { tally } from '../../../spec/proof/tally/tally.ts';
import { createMock, type Mock, type Snapshot, type TenantSeed } from '../../index.ts';
import { diskFiles } from '../../storage/disk-files.ts';
import { memoryFiles } from '../../storage/memory-files.ts';
import { type Ask, askInProcess, askOverHttp } from './concurrency/ask.ts';
import { busyTenant, contextPath, holders, labelCount, labelId, site } from './concurrency/busy-tenant.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const opened of open.splice(0)) await opened[Symbol.asyncDispose]();
});

async function start(seeds: readonly TenantSeed[] = [busyTenant()], files = memoryFiles()) {
  const mock = await createMock({ seeds, rateLimit: false, files });
  open.push(mock);
  return mock;
}

const upload = async (ask: Ask, text: string) => {
  const { fileKey, uploadUrl } = await ask('POST', `/v1/site/${site}/file/upload-url`, { contentType: 'text/plain' });
  const put = async (bytes: string) => ask('PUT', uploadUrl.slice(new URL(uploadUrl).origin.length), bytes);
  await put(text);
  return { fileKey: String(fileKey), put };
};

describe.each([
  ['in process', async (mock: Mock) => askInProcess(mock)],
  ['over HTTP', async (mock: Mock) => askOverHttp(mock, open)],
])('%s', (_, connect) => {
  it.each(Object.entries(holders))(
    '1,000 applies and removes at once on a %s end in the right set',
    async (_, path) => {
      const mock = await start();
      const ask = await connect(mock);
      // Every other label is put on, again and again; the rest, half of which is carried, is taken off as often.
      const requests = Array.from({ length: 1_000 }, (_, n) => n).sort(
        (a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009),
      );
      const applied = (label: number) => label % 2 === 0;
      const replies = await Promise.all(
        requests.map(async (n) => {
          const label = n % labelCount;
          const { labels } = await ask(applied(label) ? 'PUT' : 'DELETE', path(label));
          return { label, ids: labels.map(({ id }: { id: string }) => id) as string[] };
        }),
      );
      for (const { label, ids } of replies) {
        expect(ids.includes(labelId(label))).toBe(applied(label));
        expect(new Set(ids).size).toBe(ids.length);
      }
      const expected = Array.from({ length: labelCount }, (_, label) => label)
        .filter(applied)
        .map(labelId);
      // Asked for twice, because a look is a write here: taking off what is not carried.
      const { labels } = await ask('DELETE', path(1));
      expect(labels.map(({ id }: { id: string }) => id)).toEqual(expected);
      tally({ inputs: requests.length });
    },
  );
});

/** Puts one label after another on the conversation and then on the site, so that the site is never ahead. */
async function labelInPairs(ask: Ask, onPair: (pairs: number) => void = () => {}) {
  for (let pair = 0; pair < 200; pair++) {
    const label = pair % labelCount;
    const method = Math.floor(pair / labelCount) % 2 === 0 ? 'PUT' : 'DELETE';
    await ask(method, holders.conversation(label));
    await ask(method, holders.site(label));
    onPair(pair);
  }
}

const labelsIn = ({ tenants: [tenant] }: Snapshot) => ({
  conversation: Object.values(tenant?.labels.conversations ?? {}).flat(),
  site: Object.values(tenant?.labels.sites ?? {}).flat(),
});

const differences = (a: readonly string[], b: readonly string[]) =>
  [...a, ...b].filter((id) => a.includes(id) !== b.includes(id)).length;

describe('a snapshot', () => {
  it('under load shows one instant: each write with all writes before it', async () => {
    const mock = await start([busyTenant({ carried: false })]);
    const ask = await askOverHttp(mock, open);
    const snapshots: Snapshot[] = [];
    const taking: Promise<unknown>[] = [];
    await labelInPairs(ask, () => taking.push(mock.snapshot().then((snapshot) => snapshots.push(snapshot))));
    await Promise.all(taking);
    const apart = snapshots.map(labelsIn).map(({ conversation, site }) => differences(conversation, site));
    expect(snapshots.length).toBe(200);
    expect(Math.max(...apart)).toBeLessThanOrEqual(1);
    tally({ inputs: 400 + snapshots.length });
  });

  it('has the bytes of the files at its begin, although they are overwritten or removed meanwhile', async () => {
    const mock = await start([busyTenant()], diskFiles());
    const ask = askInProcess(mock);
    const files = await Promise.all(Array.from({ length: 20 }, (_, n) => upload(ask, `first version of ${n}`)));
    const taking = mock.snapshot();
    await Promise.all(files.slice(10).map(({ put }) => put('second')));
    mock.reset('busy');
    const snapshot = await taking;
    const contents = snapshot.tenants[0]?.files.map(({ stored }) => atob(stored?.content ?? ''));
    expect(contents).toEqual(files.map((_, n) => `first version of ${n}`));
    const other = await start();
    await other.restore(snapshot);
    expect(other.files.list().length).toBe(20);
    tally({ inputs: 30 });
  });
});

/** Everything that a restored snapshot changes, without what every restoring names anew. */
const wholeState = async (mock: Mock): Promise<unknown> => {
  const snapshot = await mock.snapshot();
  return JSON.parse(JSON.stringify({ ...snapshot, takenAt: '' }), (name, value) => (name === 'blob' ? '' : value));
};

/** Every file that is registered or stored can be read, and is what it says. */
const filesAreWhole = async (mock: Mock) => {
  for (const { fileKey, size } of mock.files.list()) {
    if (size !== null) expect((await mock.files.bytes(fileKey)).length).toBe(size);
  }
};

describe('restoring', () => {
  /** A mock whose holders carry all labels, and a snapshot of when they carried none, both with files. */
  async function changed(count = 20) {
    const mock = await start([busyTenant({ carried: false })], diskFiles());
    const ask = askInProcess(mock);
    const files = await Promise.all(Array.from({ length: count }, (_, n) => upload(ask, `file ${n}`)));
    const snapshot = await mock.snapshot();
    for (let label = 0; label < labelCount; label++) {
      for (const path of Object.values(holders)) await ask('PUT', path(label));
    }
    return { mock, ask, files, snapshot };
  }

  it('shows every request either the old or the new state, and never the old after the new', async () => {
    const { mock, snapshot } = await changed(100);
    const ask = await askOverHttp(mock, open);
    let done = false;
    const restoring = mock.restore(snapshot).finally(() => {
      done = true;
    });
    const seen: number[] = [];
    const look = async () => {
      while (!done) {
        const { labels } = await ask('GET', contextPath);
        seen.push(labels.length);
      }
      seen.push((await ask('GET', contextPath)).labels.length);
    };
    await Promise.all([look(), restoring]);
    expect(new Set(seen)).toEqual(new Set([labelCount, 0]));
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    tally({ inputs: seen.length });
  });

  it('checks the key of a request under way again', async () => {
    const { mock, snapshot } = await changed();
    const { secret } = mock.keys.create('busy', { name: 'later', scopes: ['siteFile:write'] });
    const arrived = Promise.withResolvers<void>();
    const body = (async function* () {
      yield new TextEncoder().encode('{"contentType":');
      await arrived.promise;
      yield new TextEncoder().encode('"a/b"}');
    })();
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
    const url = `/v1/site/${site}/file/upload-url`;
    const reply = mock.handle({ method: 'POST', url, headers, origin: 'http://mock.test', body });
    await mock.restore(snapshot);
    arrived.resolve();
    expect((await reply).status).toBe(403);
    expect(mock.files.list().length).toBe(20);
    tally({ inputs: 1 });
  });

  it('two snapshots at once ends with one of them', async () => {
    const { mock, snapshot } = await changed();
    const later = await mock.snapshot();
    for (let time = 0; time < 6; time++) {
      await Promise.all(
        time % 2 === 0 ? [mock.restore(snapshot), mock.restore(later)] : [mock.restore(later), mock.restore(snapshot)],
      );
      const carried = mock.labels.of('busy', { site }).length;
      expect([0, labelCount]).toContain(carried);
      expect(mock.files.list().length).toBe(20);
      await filesAreWhole(mock);
    }
    tally({ inputs: 12 });
  });

  it('during a new PUT of a file leaves no file without its bytes', async () => {
    const { mock, files } = await changed();
    for (const { put } of files) {
      const snapshot = await mock.snapshot({ content: false });
      const restored = mock.restore(snapshot).then(
        () => true,
        () => false,
      );
      await Promise.all([restored, put('another version')]);
      await filesAreWhole(mock);
    }
    tally({ inputs: 2 * files.length });
  });

  it('changes nothing if any part of the snapshot is invalid', async () => {
    const { mock, snapshot } = await changed(2);
    const current = await mock.snapshot();
    const before = await wholeState(mock);
    const pristine = JSON.stringify(snapshot);
    let refused = 0;
    const wrong = [null, '', -1, [], {}, 'x', true, 1e99];
    const places = placesIn(JSON.parse(pristine));
    for (const [n, place] of places.entries()) {
      const damaged = JSON.parse(pristine);
      const parent = place.slice(0, -1).reduce((at, step) => at[step], damaged);
      parent[place.at(-1) ?? ''] = wrong[n % wrong.length];
      const restored = await mock.restore(damaged).then(
        () => true,
        () => false,
      );
      if (restored) {
        await mock.restore(current);
        continue;
      }
      refused++;
      expect(await wholeState(mock), place.join('.')).toEqual(before);
    }
    expect(refused).toBeGreaterThan(places.length / 2);
    tally({ inputs: places.length, faults: refused });
  });

  it('changes nothing where the bytes of a file cannot be written, and keeps none of them', async () => {
    const kept = new Set<string>();
    let left = 30;
    const files = memoryFiles();
    const full: typeof files = {
      ...files,
      write: async (name, bytes) => {
        if (left-- <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        kept.add(name);
        return files.write(name, bytes);
      },
      remove: async (name) => {
        kept.delete(name);
        await files.remove(name);
      },
    };
    const mock = await start([busyTenant()], full);
    const ask = askInProcess(mock);
    await Promise.all(Array.from({ length: 20 }, (_, n) => upload(ask, `file ${n}`)));
    const snapshot = await mock.snapshot();
    const before = [await wholeState(mock), new Set(kept)];
    await expect(mock.restore(snapshot)).rejects.toThrow('no space left');
    expect([await wholeState(mock), kept]).toEqual(before);
    await filesAreWhole(mock);
    tally({ inputs: 20, faults: 1 });
  });
});

type Json = ReturnType<typeof JSON.parse>;

/** The way to every value of a document but itself. */
function placesIn(value: Json, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [[...at, name], ...placesIn(part, [...at, name])]);
}
