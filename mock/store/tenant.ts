import { UuidMap } from '../../spec/text/uuid.ts';
import { MockError } from '../mock-error.ts';
import type { LabelSeed, TenantSeed } from '../seed/schema.ts';
import type { Collections } from './collections.ts';
import { EditableRecords, type Editor } from './editable-records.ts';
import { type Conversation, indexRecords, type LabelHolder, type Records, type Site } from './records.ts';

/** The bytes of one complete PUT. */
export interface StoredBytes {
  readonly size: number;
  /** With quotes, like in the header. */
  readonly etag: string;
  readonly at: number;
  /** The name of the bytes in the file store. Every PUT has its own, whose bytes never change. */
  readonly blob: string;
}

/** A file of a site, from the first step of the upload flow on. */
export interface SiteFile {
  readonly fileKey: string;
  readonly site: string;
  readonly contentType: string;
  /** Milliseconds since the epoch, like all times here. */
  readonly urlExpiresAt: number;
  /** The stored bytes; null until the first PUT is complete. */
  stored: StoredBytes | null;
  /** Null until the file is registered. Before that it is not on the site. */
  registered: { readonly name: string | undefined; readonly size: number; readonly at: number } | null;
}

/** A label in replies. */
export interface PublicLabel {
  readonly id: string;
  readonly name: string;
}

/** How long an upload is kept after its URL has expired if nobody registers it, in ms. */
const keptUnregistered = 86_400_000;

/** One partner tenant: its records, which a test can change, and the changes by requests. */
export class Tenant {
  readonly name: string;
  /** The tenant it was cloned from; null for one of the mock's seeds. */
  readonly clonedFrom: string | null;
  readonly users: EditableRecords<'users'>;
  readonly labels: EditableRecords<'labels'>;
  readonly clients: EditableRecords<'clients'>;
  readonly sites: EditableRecords<'sites', Site>;
  readonly conversations: EditableRecords<'conversations', Conversation>;
  /** @internal */
  readonly files = new UuidMap<SiteFile>();
  readonly #first: Records;
  #records: Records;
  /** Made when a test first changes a record. */
  #collections: Promise<Collections> | undefined;
  /** Changes of records are made one after the other. */
  #lastEdit: Promise<unknown> = Promise.resolve();
  /** The labels of the records whose labels differ from the seed. */
  #carried = new Map<LabelHolder, Set<string>>();

  /** @internal */
  constructor(name: string, records: Records, clonedFrom: string | null = null) {
    this.name = name;
    this.clonedFrom = clonedFrom;
    this.#first = records;
    this.#records = records;
    const editor: Editor = {
      create: (kind, record) => this.#edit((all) => all.create(kind, record)),
      update: (kind, id, changes) =>
        this.#edit(async (all) => {
          await all.update(kind, id, changes);
          const holder = kind === 'conversations' || kind === 'sites' ? this.records[kind].get(id) : undefined;
          if (holder && 'labels' in changes) this.#carried.delete(holder);
        }),
      delete: (kind, id) =>
        this.#edit((all) => {
          const hasFiles = kind === 'sites' && [...this.files.values()].some(({ site }) => site === id);
          if (hasFiles)
            throw new MockError('conflict', `site ${id} has uploaded files; reset the tenant to remove them`);
          all.delete(kind, id);
        }),
    };
    this.users = new EditableRecords(name, 'users', () => this.records.users, editor);
    this.labels = new EditableRecords(name, 'labels', () => this.records.labels, editor);
    this.clients = new EditableRecords(name, 'clients', () => this.records.clients, editor);
    this.sites = new EditableRecords(name, 'sites', () => this.records.sites, editor);
    this.conversations = new EditableRecords(name, 'conversations', () => this.records.conversations, editor);
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
    return this.#records === this.#first ? null : this.#records.seed;
  }

  /** @internal */
  get links() {
    return this.records.links;
  }

  /** @internal */
  get publicLabels() {
    return this.records.publicLabels;
  }

  /**
   * Replaces all records, as a snapshot has them.
   * @internal
   */
  replaceRecords(records: Records): void {
    this.#collections = undefined;
    this.#show(records);
  }

  /** Labels that requests have changed stay as they are on records that are still there. */
  #show(records: Records): void {
    const old = this.#records;
    const carried = this.#carried;
    this.#records = records;
    this.#carried = new Map();
    for (const kind of ['conversations', 'sites', 'links'] as const) {
      for (const [id, holder] of old[kind]) {
        const labels = carried.get(holder);
        const same = labels && this.#records[kind].get(id);
        if (same)
          this.setLabels(
            same,
            [...labels].filter((label) => this.#records.labels.has(label)),
          );
      }
    }
  }

  /** Changes records through their collections. Replies show it as soon as it is done. */
  #edit(change: (all: Collections) => Promise<void> | void): Promise<void> {
    const edit = this.#lastEdit.then(async () => {
      this.#collections ??= import('./collections.ts').then(({ Collections }) => Collections.of(this.records.seed));
      const collections = this.#collections;
      const all = await collections;
      await change(all);
      // After a reset in the meantime the change is one of the past.
      // All records get new holders, because a kept reply about one may show another that has changed.
      if (this.#collections === collections) this.#show(indexRecords(all.seed));
    });
    this.#lastEdit = edit.catch(() => undefined);
    return edit;
  }

  /**
   * The ids of all labels of a record, with private ones. Every change makes a new set.
   * @internal
   */
  labelsOf(holder: LabelHolder): Iterable<string> {
    return this.#carried.get(holder) ?? holder.seededLabels;
  }

  /**
   * All labels of a record, with private ones, sorted by name.
   * @internal
   */
  allLabelsOf(holder: LabelHolder): LabelSeed[] {
    return [...this.labelsOf(holder)]
      .flatMap((id) => this.records.labels.get(id) ?? [])
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * The public labels of a record, sorted by name, then id. Private labels are in no reply of the API.
   * @internal
   */
  publicLabelsOf(holder: LabelHolder): PublicLabel[] {
    const carried = new Set(this.labelsOf(holder));
    const found: PublicLabel[] = [];
    if (carried.size === 0) return found;
    for (const { id, name } of this.publicLabels.values()) if (carried.has(id)) found.push({ id, name });
    return found;
  }

  /**
   * Puts a label on a record. Doing it again changes nothing.
   * @internal
   */
  applyLabel(holder: LabelHolder, label: LabelSeed): void {
    if (this.#carries(holder, label)) return;
    this.setLabels(holder, new Set(this.labelsOf(holder)).add(label.id));
  }

  /**
   * Takes a label off a record. Doing it again changes nothing.
   * @internal
   */
  removeLabel(holder: LabelHolder, label: LabelSeed): void {
    if (!this.#carries(holder, label)) return;
    const left = new Set(this.labelsOf(holder));
    left.delete(label.id);
    this.setLabels(holder, left);
  }

  /**
   * The records whose labels differ from the seed, with all their labels.
   * @internal
   */
  changedHolders(): ReadonlyMap<LabelHolder, ReadonlySet<string>> {
    return this.#carried;
  }

  /**
   * Removes uploads that nobody has registered within a day after their URL expired, as object stores often do.
   * @returns the stored bytes that are no longer used
   * @internal
   */
  forgetAbandoned(now: number): StoredBytes[] {
    const abandoned = [...this.files.values()].filter(
      ({ registered, urlExpiresAt }) => registered === null && urlExpiresAt + keptUnregistered <= now,
    );
    for (const { fileKey } of abandoned) this.files.delete(fileKey);
    return abandoned.flatMap(({ stored }) => stored ?? []);
  }

  /**
   * Returns to the state of the seed. @returns the stored bytes that are no longer used
   * @internal
   */
  reset(): StoredBytes[] {
    const bytes = [...this.files.values()].flatMap(({ stored }) => stored ?? []);
    this.files.clear();
    this.#carried.clear();
    this.#records = this.#first;
    this.#collections = undefined;
    return bytes;
  }

  /**
   * Sets all labels of a record, with private ones. A record with the labels of its seed counts as unchanged.
   * @internal
   */
  setLabels(holder: LabelHolder, labels: Iterable<string>): void {
    const carried = new Set(labels);
    const asSeeded = carried.size === holder.seededLabels.length && holder.seededLabels.every((id) => carried.has(id));
    if (asSeeded) this.#carried.delete(holder);
    else this.#carried.set(holder, carried);
  }

  #carries(holder: LabelHolder, { id }: LabelSeed): boolean {
    return this.#carried.get(holder)?.has(id) ?? holder.seededLabels.includes(id);
  }
}
