import { UuidMap } from '../../spec/text/uuid.ts';
import { MockError, missing } from '../mock-error.ts';
import type { LabelSeed, TenantSeed } from '../seed/schema.ts';
import type { Collections } from './collections.ts';
import { EditableRecords, type RecordKind } from './editable-records.ts';
import { type HolderRef, holderOf, indexRecords, type LabelHolder, type Records, refOf } from './records.ts';
import type { SiteFile, StoredBytes } from './site-file.ts';
import type { Origin } from './tenants.ts';

/** A label in replies. */
export type PublicLabel = Readonly<Pick<LabelSeed, 'id' | 'name'>>;

/** One partner tenant: its records, which a test can change, and the changes by requests. */
export class Tenant {
  readonly name: string;
  readonly users = new EditableRecords(this, 'users');
  readonly labels = new EditableRecords(this, 'labels');
  readonly clients = new EditableRecords(this, 'clients');
  readonly sites = new EditableRecords(this, 'sites');
  readonly conversations = new EditableRecords(this, 'conversations');
  /** @internal */
  readonly files = new UuidMap<SiteFile>();
  /**
   * Its first state, to which a reset returns.
   * @internal
   */
  readonly origin: Origin;
  #records: Records;
  /** Made when a test first changes a record. */
  #collections: Promise<Collections> | undefined;
  /** Changes of records are made one after the other. */
  #lastEdit: Promise<unknown> = Promise.resolve();
  /** The labels of the records whose labels differ from the seed. */
  #carried = new Map<LabelHolder, Set<string>>();

  /** @internal */
  constructor(name: string, origin: Origin) {
    this.name = name;
    this.origin = origin;
    this.#records = origin.records;
  }

  /** The tenant it was cloned from; null for one of the mock's seeds. */
  get clonedFrom(): string | null {
    return this.origin.from;
  }

  /** @internal */
  get records(): Records {
    return this.#records;
  }

  /**
   * The current records if a test has changed them, otherwise null.
   * @internal
   */
  get edited(): TenantSeed | null {
    return this.#records === this.origin.records ? null : this.#records.seed;
  }

  /**
   * Replaces all records. Labels that requests have changed stay as they are on records that are still there.
   * @internal
   */
  show(records: Records): void {
    const changed = [...this.#carried].map(([holder, labels]) => [refOf(this.#records, holder), labels] as const);
    this.#records = records;
    this.#carried = new Map();
    for (const [ref, labels] of changed) {
      const holder = holderOf(records, ref);
      const left = [...labels].filter((id) => records.labels.has(id));
      if (holder !== undefined) this.setLabels(holder, left);
    }
  }

  /**
   * Creates, updates or deletes a record. Replies show it as soon as it is done.
   * @param id null for a new record
   * @param changes fields of the record; null deletes it
   * @internal
   */
  edit(kind: RecordKind, id: string | null, changes: object | null): Promise<void> {
    const edit = this.#lastEdit.then(async () => {
      if (changes === null && kind === 'sites' && [...this.files.values()].some(({ site }) => site === id))
        throw new MockError('conflict', `site ${id} has uploaded files; reset the tenant to remove them`);
      this.#collections ??= import('./collections.ts').then(({ collectionsOf }) => collectionsOf(this.#records.seed));
      const collections = this.#collections;
      const all = await collections;
      await all.change(kind, id, changes);
      // After a reset in the meantime the change is one of the past.
      if (this.#collections !== collections) return;
      const holder = (kind === 'conversations' || kind === 'sites') && id !== null ? this[kind].get(id) : undefined;
      if (holder && changes !== null && 'labels' in changes) this.#carried.delete(holder);
      this.show(indexRecords(all.current()));
    });
    this.#lastEdit = edit.catch(() => undefined);
    return edit;
  }

  /**
   * A record that has labels. @throws MockError `missing`
   * @internal
   */
  holder(ref: HolderRef): LabelHolder {
    const [kind, ids] = 'client' in ref ? ['link', [ref.client, ref.site]] : [Object.keys(ref)[0], Object.values(ref)];
    return holderOf(this.#records, ref) ?? missing(`tenant ${this.name} has no ${kind} ${ids.join(' - ')}`);
  }

  /**
   * A public or private label by its id or its name. @throws MockError `missing`
   * @internal
   */
  label(idOrName: string): LabelSeed {
    return [...this.labels.all.values()].find(({ name }) => name === idOrName) ?? this.labels.existing(idOrName);
  }

  /**
   * The ids of all labels of a record, with private ones. Every change makes a new set.
   * @internal
   */
  labelsOf(holder: LabelHolder): Iterable<string> {
    return this.#carried.get(holder) ?? this.#records.firstLabelsOf(holder);
  }

  /**
   * All labels of a record, with private ones, sorted by name.
   * @internal
   */
  allLabelsOf(holder: LabelHolder, among = this.#records.labels): LabelSeed[] {
    const carried = new Set(this.labelsOf(holder));
    return [...among.values()].filter(({ id }) => carried.has(id));
  }

  /**
   * The public labels of a record, sorted by name. Private labels are in no reply of the API.
   * @internal
   */
  publicLabelsOf(holder: LabelHolder): PublicLabel[] {
    return this.allLabelsOf(holder, this.#records.publicLabels).map(({ id, name }) => ({ id, name }));
  }

  /**
   * Puts a label on a record. Doing it again changes nothing.
   * @internal
   */
  applyLabel(holder: LabelHolder, { id }: LabelSeed): void {
    const carried = new Set(this.labelsOf(holder));
    if (!carried.has(id)) this.setLabels(holder, carried.add(id));
  }

  /**
   * Takes a label off a record. Doing it again changes nothing.
   * @internal
   */
  removeLabel(holder: LabelHolder, { id }: LabelSeed): void {
    const carried = new Set(this.labelsOf(holder));
    if (carried.delete(id)) this.setLabels(holder, carried);
  }

  /**
   * The records whose labels differ from the seed, with all their labels.
   * @internal
   */
  changedHolders(): ReadonlyMap<LabelHolder, ReadonlySet<string>> {
    return this.#carried;
  }

  /**
   * Returns to the first state. @returns the stored bytes that are no longer used
   * @internal
   */
  reset(): StoredBytes[] {
    const bytes = [...this.files.values()].flatMap(({ stored }) => stored ?? []);
    this.files.clear();
    this.#carried.clear();
    this.#records = this.origin.records;
    this.#collections = undefined;
    return bytes;
  }

  /**
   * Sets all labels of a record, with private ones. A record with the labels of its seed counts as unchanged.
   * @internal
   */
  setLabels(holder: LabelHolder, labels: Iterable<string>): void {
    const carried = new Set(labels);
    const isAsMany = carried.size === (holder.labels?.length ?? 0);
    const asSeeded = isAsMany && this.#records.firstLabelsOf(holder).every((id) => carried.has(id));
    if (asSeeded) this.#carried.delete(holder);
    else this.#carried.set(holder, carried);
  }
}
