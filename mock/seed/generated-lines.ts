import { ByteKeys } from './byte-keys.ts';
import type { GeneratedHead } from './generated-tenant.ts';
import { Mapped, type MapSource } from './mapped.ts';
import type { ClientSeed, ConversationSeed, SiteSeed } from './schema.ts';
import type { UnreadRecords } from './seed-records.ts';

type RecordKind = 'conversation' | 'client' | 'site';
type ReferredKind = 'user' | 'client' | 'site' | 'label';

const newline = 10;
const quote = 34;
const colon = 58;
const backslash = 92;

/** How the line of a record begins, up to its id. */
const beginnings = (['conversation', 'client', 'site'] as const).map((kind) => ({
  kind,
  text: Buffer.from(`{"${kind}":{"id":"`),
}));
/** The fields of records that refer to others, and the kind of these. */
const fields: readonly { readonly name: string; readonly kind: ReferredKind }[] = [
  { name: 'agents', kind: 'user' },
  { name: 'clients', kind: 'client' },
  { name: 'client', kind: 'client' },
  { name: 'sites', kind: 'site' },
  { name: 'labels', kind: 'label' },
];
const fieldNames = keysOf(fields.map(({ name }) => name));
/** The texts of a conversation stand before this field, and all that it refers to stands behind. */
const participants = Buffer.from('"participants":');

/**
 * The lines of a generated tenant. Of each record only its id, where its line is and who refers to it are kept, as numbers in
 * flat arrays: objects for a million conversations would take most of a start.
 */
export class GeneratedLines implements UnreadRecords {
  readonly clients: ReadonlyMap<string, ClientSeed>;
  readonly sites: ReadonlyMap<string, SiteSeed>;
  readonly conversations: ReadonlyMap<string, ConversationSeed>;
  links = 0;
  sha256 = '';
  readonly #bytes: Buffer;
  readonly #refuse: (problem: string) => void;
  readonly #keys: Readonly<Record<RecordKind | ReferredKind, ByteKeys>>;
  /** By the number of the record: where its line begins, and the last reference to it. */
  readonly #starts: Readonly<Record<RecordKind, number[]>> = { conversation: [], client: [], site: [] };
  readonly #lastReferences: Readonly<Record<RecordKind, number[]>> = { conversation: [], client: [], site: [] };
  /** By the number of the reference: where the line begins that refers, and the reference before it to the same record. */
  readonly #referrers: number[] = [];
  readonly #earlierReferences: number[] = [];

  /**
   * @param bytes the file, whose lines are taken while it is read
   * @param refuse throws
   */
  constructor(bytes: Buffer, { users, labels }: GeneratedHead['tenant'], refuse: (problem: string) => never) {
    this.#bytes = bytes;
    this.#refuse = refuse;
    this.#keys = {
      user: keysOf(users.map(({ id }) => id)),
      label: keysOf(labels.map(({ name }) => name)),
      conversation: new ByteKeys(),
      client: new ByteKeys(),
      site: new ByteKeys(),
    };
    this.clients = new Mapped(this.#startsById('client'), (start) => this.#read(start).client);
    this.sites = new Mapped(this.#startsById('site'), (start) => this.#read(start).site);
    this.conversations = new Mapped(this.#startsById('conversation'), (start) => this.#read(start).conversation);
  }

  /** Takes the line of a record, and checks its id and what it refers to. @returns false if it is another line */
  take(start: number, end: number): boolean {
    const beginning = this.#beginningAt(start);
    if (beginning === undefined) return false;
    const { kind, id } = beginning;
    const behind = this.#endOfText(id, end);
    if (!this.#keys[kind].add(this.#bytes, id, behind)) this.#refuse(`a second ${kind} ${this.#text(id, behind)}`);
    this.#starts[kind].push(start);
    this.#lastReferences[kind].push(-1);
    if (kind === 'site') this.links += this.#takeReferences(start, behind + 1, end);
    if (kind === 'conversation') this.#takeReferences(start, this.#bytes.lastIndexOf(participants, end), end);
    return true;
  }

  conversationsOfSite(id: string): readonly string[] {
    return this.#referring('conversation', 'site', id);
  }

  conversationsOfClient(id: string): readonly string[] {
    return this.#referring('conversation', 'client', id);
  }

  sitesOfClient(id: string): readonly string[] {
    return this.#referring('site', 'client', id);
  }

  #referring(kind: RecordKind, to: RecordKind, id: string): string[] {
    const found: string[] = [];
    let reference = this.#lastReferences[to][findText(this.#keys[to], id)] ?? -1;
    for (; reference >= 0; reference = this.#earlierReferences[reference] ?? -1) {
      const start = this.#referrers[reference] ?? 0;
      if (this.#beginningAt(start)?.kind === kind) found.push(this.#idAt(start));
    }
    return found.reverse();
  }

  #beginningAt(start: number): { readonly kind: RecordKind; readonly id: number } | undefined {
    for (const { kind, text } of beginnings) {
      const id = start + text.length;
      if (this.#bytes.compare(text, 0, text.length, start, id) === 0) return { kind, id };
    }
    return undefined;
  }

  /** Checks the references of a line from a place on. @returns how many clients and sites it refers to */
  #takeReferences(start: number, from: number, end: number): number {
    const before = this.#referrers.length;
    let kind: ReferredKind | undefined;
    for (let at = from; at < end; at++) {
      if (this.#bytes[at] !== quote) continue;
      const text = at + 1;
      at = this.#endOfText(text, end);
      if (this.#bytes[at + 1] === colon) kind = fields[fieldNames.find(this.#bytes, text, at)]?.kind;
      else if (kind !== undefined) this.#refer(start, kind, text, at);
    }
    return this.#referrers.length - before;
  }

  #refer(start: number, kind: ReferredKind, text: number, end: number): void {
    const number = this.#keys[kind].find(this.#bytes, text, end);
    if (number < 0) this.#refuse(`no ${kind} ${this.#text(text, end)} above`);
    if (kind === 'user' || kind === 'label') return;
    const last = this.#lastReferences[kind];
    this.#earlierReferences.push(last[number] ?? -1);
    last[number] = this.#referrers.push(start) - 1;
  }

  #startsById(kind: RecordKind): MapSource<number> {
    const starts = this.#starts[kind];
    const get = (id: string) => starts[findText(this.#keys[kind], id)];
    return {
      get size() {
        return starts.length;
      },
      get,
      has: (id) => get(id) !== undefined,
      keys: () => this.#idsAt(starts),
    };
  }

  *#idsAt(starts: Iterable<number>): Generator<string> {
    for (const start of starts) yield this.#idAt(start);
  }

  #idAt(start: number): string {
    const { id = start } = this.#beginningAt(start) ?? {};
    return this.#text(id, this.#endOfText(id, this.#bytes.length));
  }

  #read(start: number) {
    return JSON.parse(this.#text(start, this.#bytes.indexOf(newline, start)));
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  /** Where the quote stands that ends a text. */
  #endOfText(start: number, end: number): number {
    let at = start;
    while (at < end && this.#bytes[at] !== quote) at += this.#bytes[at] === backslash ? 2 : 1;
    return at;
  }
}

function keysOf(texts: readonly string[]): ByteKeys {
  const keys = new ByteKeys();
  for (const text of texts) {
    const bytes = asInJson(text);
    keys.add(bytes, 0, bytes.length);
  }
  return keys;
}

function findText(keys: ByteKeys, text: string): number {
  const bytes = asInJson(text);
  return keys.find(bytes, 0, bytes.length);
}

/** The bytes of a text as they stand in the file, without quotes. */
function asInJson(text: string): Buffer {
  return Buffer.from(JSON.stringify(text).slice(1, -1));
}
