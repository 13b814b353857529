import { Collection } from '@msw/data';
import { parsed } from '../../spec/files/shape-problems.ts';
import { clientSeed, conversationSeed, labelSeed, siteSeed, type TenantSeed, userSeed } from '../seed/schema.ts';
import { checkReferences } from '../seed/seed-from-document.ts';
import type { RecordKind } from './editable-records.ts';

const schemas = {
  users: userSeed,
  labels: labelSeed,
  clients: clientSeed,
  sites: siteSeed,
  conversations: conversationSeed,
};
const kinds = Object.keys(schemas) as RecordKind[];

/** The kinds differ only in their schemas, which the compiler need not follow. */
type AnyCollection = Collection<typeof userSeed>;
const collectionOf = (kind: RecordKind) => new Collection({ schema: schemas[kind] as typeof userSeed });

export type Collections = Awaited<ReturnType<typeof collectionsOf>>;

/**
 * The records of one tenant as collections of @msw/data. They refer to each other by id, because relations of @msw/data add
 * listeners to every record.
 */
export async function collectionsOf(first: TenantSeed) {
  const made = Object.fromEntries(kinds.map((kind) => [kind, collectionOf(kind)])) as Record<RecordKind, AnyCollection>;
  for (const kind of kinds) for (const record of first[kind]) await made[kind].create(record as never);
  /** All records as they are now. */
  const current = (): TenantSeed => ({
    ...first,
    ...Object.fromEntries(kinds.map((kind) => [kind, made[kind].all()])),
  });
  /**
   * Creates, updates or deletes a record. The rules of a fixture file must hold afterwards.
   * @param id null for a new record
   * @param changes fields of the record; null deletes it
   * @throws ConfigurationError with every problem, in the words of a fixture file. Then nothing has changed
   */
  const change = async (kind: RecordKind, id: string | null, changes: object | null): Promise<void> => {
    const seed = current();
    const all: readonly object[] = seed[kind];
    const at = id === null ? all.length : seed[kind].findIndex((record) => record.id === id);
    const record = changes && parsed<object>(schemas[kind], { ...all[at], ...changes }, seed.tenant, [kind, at]);
    checkReferences({ ...seed, [kind]: all.toSpliced(at, 1, ...(record === null ? [] : [record])) }, seed.tenant);
    const collection = made[kind];
    if (record === null) collection.delete((query) => query.where({ id: id ?? '' }));
    else if (id === null) await collection.create(record as never);
    else
      await collection.update((query) => query.where({ id }), { data: (draft) => void Object.assign(draft, record) });
  };
  return { current, change };
}
