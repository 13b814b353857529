import { Collection } from '@msw/data';
import {
  clientSeed,
  conversationSeed,
  labelSeed,
  siteSeed,
  type TenantSeed,
  type UserSeed,
  userSeed,
} from '../seed/schema.ts';
import { checkedRecords } from '../seed/seed-from-document.ts';
import type { RecordKind as Kind } from './editable-records.ts';

const kinds: readonly Kind[] = ['users', 'labels', 'clients', 'sites', 'conversations'];

type Record = TenantSeed[Kind][number];

/**
 * The records of one tenant as collections of @msw/data, with an index by id. They refer to each other by id, because relations of
 * @msw/data add listeners to every record. A change has to keep the rules of a fixture file.
 */
export class Collections {
  readonly #collections = {
    users: new Collection({ schema: userSeed }),
    labels: new Collection({ schema: labelSeed }),
    clients: new Collection({ schema: clientSeed }),
    sites: new Collection({ schema: siteSeed }),
    conversations: new Collection({ schema: conversationSeed }),
  } as unknown as { readonly [Each in Kind]: Collection<typeof userSeed> };
  readonly #index = new Map<Kind, Map<string, Record>>();
  readonly #seed: TenantSeed;

  private constructor(seed: TenantSeed) {
    this.#seed = seed;
    for (const kind of kinds) {
      const index = new Map<string, Record>();
      this.#index.set(kind, index);
      const { hooks } = this.#collections[kind];
      hooks.on('create', ({ data }) => void index.set(data.record.id, data.record));
      hooks.on('update', ({ data }) => void index.set(data.nextRecord.id, data.nextRecord));
      hooks.on('delete', ({ data }) => void index.delete(data.deletedRecord.id));
    }
  }

  static async of(seed: TenantSeed): Promise<Collections> {
    const made = new Collections(seed);
    for (const kind of kinds) for (const record of seed[kind]) await made.#collections[kind].create(record as UserSeed);
    return made;
  }

  /** All records as they are now. */
  get seed(): TenantSeed {
    const lists = kinds.map((kind) => [kind, [...(this.#index.get(kind)?.values() ?? [])]]);
    return { ...this.#seed, ...Object.fromEntries(lists) };
  }

  /** @throws ConfigurationError with every problem, in the words of a fixture file. Then nothing has changed */
  async create(kind: Kind, record: unknown): Promise<void> {
    const at = this.#index.get(kind)?.size ?? 0;
    const { [kind]: records } = this.#checked(kind, (all) => [...all, record]);
    await this.#collections[kind].create(records[at] as UserSeed);
  }

  /** @throws ConfigurationError as `create` does */
  async update(kind: Kind, id: string, changes: object): Promise<void> {
    const old = this.#index.get(kind)?.get(id);
    const at = [...(this.#index.get(kind)?.keys() ?? [])].indexOf(id);
    const { [kind]: records } = this.#checked(kind, (all) => all.with(at, { ...old, ...changes }));
    await this.#collections[kind].update((query) => query.where({ id }), {
      data: (draft) => void Object.assign(draft, records[at]),
    });
  }

  /** @throws ConfigurationError if another record refers to this one */
  delete(kind: Kind, id: string): void {
    this.#checked(kind, (all) => all.filter((each) => each !== this.#index.get(kind)?.get(id)));
    this.#collections[kind].delete((query) => query.where({ id }));
  }

  #checked(kind: Kind, change: (all: readonly unknown[]) => readonly unknown[]) {
    const { seed } = this;
    const trusted = new Set<unknown>([...seed.keys, ...kinds.flatMap((each): readonly unknown[] => seed[each])]);
    return checkedRecords({ ...seed, [kind]: change(seed[kind]) }, seed.tenant, trusted);
  }
}
