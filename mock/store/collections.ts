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

/**
 * The records of one tenant as collections of @msw/data. They refer to each other by id, because relations of @msw/data add
 * listeners to every record.
 */
export class Collections {
  readonly #all = Object.fromEntries(kinds.map((kind) => [kind, collectionOf(kind)])) as Record<
    RecordKind,
    AnyCollection
  >;
  readonly #seed: TenantSeed;

  private constructor(seed: TenantSeed) {
    this.#seed = seed;
  }

  static async of(seed: TenantSeed): Promise<Collections> {
    const made = new Collections(seed);
    for (const kind of kinds) for (const record of seed[kind]) await made.#all[kind].create(record as never);
    return made;
  }

  /** All records as they are now. */
  get seed(): TenantSeed {
    return { ...this.#seed, ...Object.fromEntries(kinds.map((kind) => [kind, this.#all[kind].all()])) };
  }

  /**
   * Creates, updates or deletes a record. The rules of a fixture file must hold afterwards.
   * @param id null for a new record
   * @param changes fields of the record; null deletes it
   * @throws ConfigurationError with every problem, in the words of a fixture file. Then nothing has changed
   */
  async change(kind: RecordKind, id: string | null, changes: object | null): Promise<void> {
    const { seed } = this;
    const all: readonly object[] = seed[kind];
    const at = id === null ? all.length : seed[kind].findIndex((record) => record.id === id);
    const record = changes && parsed<object>(schemas[kind], { ...all[at], ...changes }, seed.tenant, [kind, at]);
    checkReferences({ ...seed, [kind]: all.toSpliced(at, 1, ...(record === null ? [] : [record])) }, seed.tenant);
    const collection = this.#all[kind];
    if (record === null) collection.delete((query) => query.where({ id: id ?? '' }));
    else if (id === null) await collection.create(record as never);
    else
      await collection.update((query) => query.where({ id }), { data: (draft) => void Object.assign(draft, record) });
  }
}
