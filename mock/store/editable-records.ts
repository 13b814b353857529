import { MockError, missing } from '../mock-error.ts';
import type { TenantInput } from '../seed/define-tenant.ts';
import type { TenantSeed } from '../seed/schema.ts';
import type { Tenant } from './tenant.ts';

/** The kinds of records that a test can change. */
export type RecordKind = 'users' | 'labels' | 'clients' | 'sites' | 'conversations';

/** A record as a fixture file has it. */
export type RecordInput<Of extends RecordKind> = NonNullable<TenantInput[Of]>[number];

/**
 * The records of one kind. A test can change them as the product would: with the checks and messages of a fixture file, and at once
 * for every reply.
 *
 *     const { conversations } = mock.tenant('acme');
 *     await conversations.create({ id: crypto.randomUUID(), subject: 'No hot water', labels: ['vip'] });
 */
export class EditableRecords<Of extends RecordKind> {
  readonly #tenant: Tenant;
  readonly #kind: Of;

  /** @internal */
  constructor(tenant: Tenant, kind: Of) {
    this.#tenant = tenant;
    this.#kind = kind;
  }

  /**
   * Adds a record. It refers to labels by name, and to everything else by id.
   * @throws ConfigurationError with every problem: `acme: conversations[9].labels[0]: no label "vpi" in this tenant; ...`
   */
  async create(record: RecordInput<Of>): Promise<TenantSeed[Of][number]> {
    await this.#tenant.edit(this.#kind, null, record);
    return this.existing(record.id);
  }

  /** Changes the given fields; undefined removes one. The id stays. @throws ConfigurationError, MockError `missing` */
  async update(id: string, changes: Partial<Omit<RecordInput<Of>, 'id'>>): Promise<TenantSeed[Of][number]> {
    const { id: own } = this.existing(id);
    if ('id' in changes) throw new MockError('invalid', 'id: cannot change; delete the record and create another');
    await this.#tenant.edit(this.#kind, own, changes);
    return this.existing(id);
  }

  /** @throws ConfigurationError if another record refers to it, MockError `missing` */
  async delete(id: string): Promise<void> {
    await this.#tenant.edit(this.#kind, this.existing(id).id, null);
  }

  /**
   * The record with this id. @throws MockError `missing`
   * @internal
   */
  existing(id: string): TenantSeed[Of][number] {
    return this.get(id) ?? missing(`tenant ${this.#tenant.name} has no ${this.#kind.slice(0, -1)} ${id}`);
  }

  /** All records by id, as they are now. */
  get all(): ReadonlyMap<string, TenantSeed[Of][number]> {
    // The compiler cannot know that the kind decides the type of its records.
    return this.#tenant.records[this.#kind] as unknown as ReadonlyMap<string, TenantSeed[Of][number]>;
  }

  get(id: string): TenantSeed[Of][number] | undefined {
    return this.all.get(id);
  }
}
