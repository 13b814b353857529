import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strangers } from '../../../conformance/proof/strangers/index.ts';
import type { Honest } from '../../../conformance/proof/trials/trial.ts';
import { createServedMock } from '../../../mock/adapters/create-served-mock.ts';
import { defects } from '../../../mock/wrong/defects/index.ts';
import { legalVariants } from '../../../mock/wrong/habits/index.ts';
import { planted } from '../../../mock/wrong/planted.ts';
import type { Defect } from '../../../mock/wrong/tampering/defect.ts';
import { loadTarget } from '../../../spec/files/target.ts';

/** The ids of what every tool judges. They were drawn by hash, a defect of each rule in turn, before the first tool ran. */
const sample: Readonly<Record<'defects' | 'habits', readonly string[]>> = JSON.parse(
  readFileSync(new URL('sample.json', import.meta.url), 'utf8'),
);
const honest: readonly Honest[] = [...legalVariants, ...strangers];
const named = <T extends { readonly id: string }>(ids: readonly string[], all: readonly T[]): readonly T[] =>
  ids.flatMap((id) => all.find((one) => one.id === id) ?? []);

/** The deployments of the sample that are still among our own. */
export const wrongOnes: readonly Defect[] = named(sample.defects, defects);
export const honestOnes: readonly Honest[] = named(sample.habits, honest);

/** A deployment of the sample. */
export type Deployment = Defect | Honest;

/** A deployment that listens, and what may be known of it. */
export type Served = Awaited<ReturnType<typeof serve>>;

/** Its limiter is on for every tool. */
export const isOfLimiter = (one: Deployment): boolean => 'rule' in one && one.rule.startsWith('limiter/');

/**
 * Starts a deployment on a port of its own, the mock as it is for none.
 * @param limited without, no key has a limit
 */
export async function serve(deployment: Deployment | null, limited: boolean) {
  const options = deployment && 'rule' in deployment ? {} : deployment?.options?.();
  const mock = await createServedMock({
    onError: () => {},
    ...(!limited && { rateLimit: false as const }),
    ...options,
    ...(deployment && { wrong: planted(deployment as Defect) }),
  });
  const { url } = await mock.listen({ port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-referee-'));
  const saved = async (path: string, name: string) => {
    writeFileSync(join(folder, name), await (await fetch(`${url}/_mock/${path}`)).text());
    return join(folder, name);
  };
  /** As the mock describes itself. */
  const target = loadTarget(await saved('target', 'target.yaml'));
  return {
    url,
    /** For files of a tool's own. */
    folder,
    /** A file of our OpenAPI document, with examples and links. */
    document: await saved('openapi.json', 'openapi.json'),
    /** A collection for Postman with a request for each operation and the ids of this deployment. */
    collection: await saved('collections/postman', 'collection.json'),
    target,
    /** With every scope. */
    key: target.tenants[0]?.keys[0]?.secret ?? '',
    requests: () => mock.journal.lastId,
    async [Symbol.asyncDispose]() {
      await mock.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
