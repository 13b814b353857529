import type { LabelSeed } from '../seed/schema.ts';
import { Recent } from './recent.ts';
import type { LabelHolder, Records } from './records.ts';

/** The bytes of one complete PUT. */
export interface StoredBytes {
  readonly size: number;
  /** Quoted, as the header has it. */
  readonly etag: string;
  readonly at: number;
  /** The name of the bytes in the file store: every PUT has its own, and its bytes never change. */
  readonly blob: string;
}

/** A site file between the first and the third step of the upload flow, and after. */
export interface SiteFile {
  readonly fileKey: string;
  readonly site: string;
  readonly contentType: string;
  /** Milliseconds since the epoch, as all instants here. */
  readonly urlExpiresAt: number;
  /** What the storage target holds; null until the first PUT is complete. */
  stored: StoredBytes | null;
  /** Null until the file is registered: before that nothing is on the site. */
  registered: { readonly name: string | undefined; readonly size: number; readonly at: number } | null;
}

/** A label as replies show it. */
export interface PublicLabel {
  readonly id: string;
  readonly name: string;
}

/** What a reply shows of a holder, and the labels it carried then. */
interface Shown {
  readonly labels: Iterable<string>;
  readonly body: object;
}

/** How long after its URL has expired an upload that nobody has registered is kept, in ms: a day. */
const keptUnregistered = 86_400_000;

/** How many holders' bodies are kept, so that a million conversations take no more memory than a thousand. */
const shownHolders = 500;

/** One partner tenant: the records of its seed, and beside them what requests have changed. */
export class Tenant {
  readonly name: string;
  readonly records: Records;
  /** The tenant it was cloned from; null for one of the mock's seeds. */
  readonly clonedFrom: string | null;
  readonly files = new Map<string, SiteFile>();
  /** The labels of the holders that were changed since the seed. */
  readonly #carried = new Map<LabelHolder, Set<string>>();
  readonly #contexts = new Recent<LabelHolder, Shown>(shownHolders);
  readonly #labelled = new Recent<LabelHolder, Shown>(shownHolders);

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

  /** Ids of all labels that the holder carries, private ones too. */
  labelsOf(holder: LabelHolder): Iterable<string> {
    return this.#carried.get(holder) ?? holder.seededLabels;
  }

  /** The public labels that the holder carries, by name, then id. Private ones are in no reply of the API. */
  publicLabelsOf(holder: LabelHolder): PublicLabel[] {
    const carried = new Set(this.labelsOf(holder));
    const found: PublicLabel[] = [];
    if (carried.size === 0) return found;
    for (const { id, name } of this.publicLabels.values()) if (carried.has(id)) found.push({ id, name });
    return found;
  }

  /**
   * The body of a reply about a holder, which depends on its labels and on nothing else that changes: made once, and the
   * same frozen object until other labels are set. Only the holders asked for last are kept.
   */
  shown<Body extends object>(as: 'context' | 'labels', holder: LabelHolder, make: () => Body): Body {
    const recent = as === 'context' ? this.#contexts : this.#labelled;
    const labels = this.labelsOf(holder);
    const kept = recent.get(holder);
    // Every change of labels makes a new Set, so the same Set means that nothing changed.
    if (kept !== undefined && kept.labels === labels) return kept.body as Body;
    const body = Object.freeze(make());
    recent.set(holder, { labels, body });
    return body;
  }

  /** Puts a label on a holder, as a set does: again changes nothing. */
  applyLabel(holder: LabelHolder, label: LabelSeed): void {
    if (this.#carries(holder, label)) return;
    this.setLabels(holder, new Set(this.labelsOf(holder)).add(label.id));
  }

  /** Takes a label off a holder, as a set does: again changes nothing. */
  removeLabel(holder: LabelHolder, label: LabelSeed): void {
    if (!this.#carries(holder, label)) return;
    const left = new Set(this.labelsOf(holder));
    left.delete(label.id);
    this.setLabels(holder, left);
  }

  /** The holders that are not as their seed has them, each with all labels that it carries now. */
  changedHolders(): ReadonlyMap<LabelHolder, ReadonlySet<string>> {
    return this.#carried;
  }

  /**
   * Forgets uploads that nobody has registered a day after their URL expired, as object stores are set up to: nothing of
   * them was ever on the site. @returns the bytes that nothing refers to any more.
   */
  forgetAbandoned(now: number): StoredBytes[] {
    const abandoned = [...this.files.values()].filter(
      ({ registered, urlExpiresAt }) => registered === null && urlExpiresAt + keptUnregistered <= now,
    );
    for (const { fileKey } of abandoned) this.files.delete(fileKey);
    return abandoned.flatMap(({ stored }) => stored ?? []);
  }

  /** Back to the seed: what was changed is forgotten. @returns the bytes that nothing refers to any more. */
  reset(): StoredBytes[] {
    const bytes = [...this.files.values()].flatMap(({ stored }) => stored ?? []);
    this.files.clear();
    this.#carried.clear();
    this.#contexts.clear();
    this.#labelled.clear();
    return bytes;
  }

  /** Sets all labels of a holder at once, private ones too. A holder that is as its seed has it counts as unchanged. */
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
