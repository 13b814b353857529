import fc from 'fast-check';
import { operationIds } from '../../../spec/operations.ts';
import type { TenantSeed } from '../../index.ts';
import type { Step } from './reference-model.ts';

/** A step of one of the tenants; which of its files is meant is known when it is taken. */
export interface PlannedStep {
  readonly tenant: string;
  readonly step: Omit<Step, 'fileKey'>;
  readonly file: FileChoice;
  /** How many other things may happen before it. */
  readonly pause: number;
}

/** The n-th file that the tenant has started, a file of another tenant, or an unknown fileKey. */
export type FileChoice =
  | { readonly of: 'own' | 'other'; readonly n: number }
  | { readonly of: 'nobody'; readonly fileKey: string };

/** The usual so many times as often as each of the others. */
export const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

const unknownUuid = '00000000-0000-4000-8000-0000000000ff';

function stepsOf(seed: TenantSeed, others: readonly TenantSeed[]): fc.Arbitrary<PlannedStep> {
  const ids = (of: (seed: TenantSeed) => readonly { readonly id: string }[], nobodys: string, malformed: string) =>
    mostly(
      16,
      fc.constantFrom(...of(seed).map(({ id }) => id)),
      fc.constantFrom(...others.flatMap((other) => of(other).map(({ id }) => id))),
      fc.constantFrom(nobodys, malformed),
    );
  const place = mostly(
    4,
    fc.constantFrom(...linksOf(seed)),
    fc.constantFrom(...others.flatMap(linksOf)),
    fc.record({
      client: ids(({ clients }) => clients, `ovcid-${unknownUuid}`, 'client 1'),
      site: ids(({ sites }) => sites, 'ovaid-none', '__proto__'),
    }),
  );
  const keys = fc.constantFrom(null, 'nobody has it', ...seed.keys.map(({ name }) => name));
  const file = mostly<FileChoice>(
    10,
    fc.nat(3).map((n) => ({ of: 'own', n })),
    fc.nat(3).map((n) => ({ of: 'other', n })),
    fc.constantFrom(unknownUuid, 'no uuid').map((fileKey) => ({ of: 'nobody', fileKey })),
  );
  const choices = {
    operation: fc.constantFrom<Step['operation'][]>(
      ...operationIds,
      ...(['startSiteFileUpload', 'registerSiteFile', 'putFile', 'putFile'] as const),
    ),
    key: mostly(14, fc.constant('full'), keys),
    place,
    conversation: ids(({ conversations }) => conversations, unknownUuid, 'conversation 1'),
    label: ids(({ labels }) => labels, unknownUuid, 'vip'),
    contentType: mostly<string | undefined>(
      8,
      fc.constantFrom('text/plain', 'image/png'),
      fc.constantFrom('', undefined),
    ),
    bytes: fc.constantFrom('', 'a', 'some more bytes'),
    file,
    pause: fc.nat(4),
  };
  return fc
    .record(choices)
    .map(({ file, pause, place, ...step }) => ({ tenant: seed.tenant, step: { ...step, ...place }, file, pause }));
}

const linksOf = ({ sites }: TenantSeed) =>
  sites.flatMap(({ id, clients = [] }) => clients.map(({ client }) => ({ client, site: id })));

/** All operations, and PUTs to upload URLs, by the clients of all tenants. */
export const steps = (seeds: readonly TenantSeed[]): fc.Arbitrary<PlannedStep> =>
  fc.oneof(
    ...seeds.map((seed) =>
      stepsOf(
        seed,
        seeds.filter((other) => other !== seed),
      ),
    ),
  );
