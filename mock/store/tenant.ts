import { UuidMap } from '../../spec/text/uuid.ts';
import type { LabelSeed } from '../seed/schema.ts';
import type { LabelHolder, Records } from './records.ts';

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

/** One partner tenant: the records of its seed, and the changes by requests. */
export class Tenant {
  readonly name: string;
  readonly records: Records;
  /** The tenant it was cloned from; null for one of the mock's seeds. */
  readonly clonedFrom: string | null;
  readonly files = new UuidMap<SiteFile>();
  /** The labels of the records whose labels differ from the seed. */
  readonly #carried = new Map<LabelHolder, Set<string>>();

  constructor(name: string, records: Records, clonedFrom: string | null = null) {
    this.name = name;
    this.records = records;
    this.clonedFrom = clonedFrom;
  }

  get conversations() {
    return this.records.conversations;
  }

  get sites() {
    return this.records.sites;
  }

  get clients() {
    return this.records.clients;
  }

  get links() {
    return this.records.links;
  }

  get publicLabels() {
    return this.records.publicLabels;
  }

  /** The ids of all labels of a record, with private ones. Every change makes a new set. */
  labelsOf(holder: LabelHolder): Iterable<string> {
    return this.#carried.get(holder) ?? holder.seededLabels;
  }

  /** All labels of a record, with private ones, sorted by name. */
  allLabelsOf(holder: LabelHolder): LabelSeed[] {
    return [...this.labelsOf(holder)]
      .flatMap((id) => this.records.labels.get(id) ?? [])
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The public labels of a record, sorted by name, then id. Private labels are in no reply of the API. */
  publicLabelsOf(holder: LabelHolder): PublicLabel[] {
    const carried = new Set(this.labelsOf(holder));
    const found: PublicLabel[] = [];
    if (carried.size === 0) return found;
    for (const { id, name } of this.publicLabels.values()) if (carried.has(id)) found.push({ id, name });
    return found;
  }

  /** Puts a label on a record. Doing it again changes nothing. */
  applyLabel(holder: LabelHolder, label: LabelSeed): void {
    if (this.#carries(holder, label)) return;
    this.setLabels(holder, new Set(this.labelsOf(holder)).add(label.id));
  }

  /** Takes a label off a record. Doing it again changes nothing. */
  removeLabel(holder: LabelHolder, label: LabelSeed): void {
    if (!this.#carries(holder, label)) return;
    const left = new Set(this.labelsOf(holder));
    left.delete(label.id);
    this.setLabels(holder, left);
  }

  /** The records whose labels differ from the seed, with all their labels. */
  changedHolders(): ReadonlyMap<LabelHolder, ReadonlySet<string>> {
    return this.#carried;
  }

  /**
   * Removes uploads that nobody has registered within a day after their URL expired, as object stores often do.
   * @returns the stored bytes that are no longer used
   */
  forgetAbandoned(now: number): StoredBytes[] {
    const abandoned = [...this.files.values()].filter(
      ({ registered, urlExpiresAt }) => registered === null && urlExpiresAt + keptUnregistered <= now,
    );
    for (const { fileKey } of abandoned) this.files.delete(fileKey);
    return abandoned.flatMap(({ stored }) => stored ?? []);
  }

  /** Returns to the state of the seed. @returns the stored bytes that are no longer used */
  reset(): StoredBytes[] {
    const bytes = [...this.files.values()].flatMap(({ stored }) => stored ?? []);
    this.files.clear();
    this.#carried.clear();
    return bytes;
  }

  /** Sets all labels of a record, with private ones. A record with the labels of its seed counts as unchanged. */
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
