import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Exchange, isObject, jsonOf, succeeded, valuesOf } from '../conformance/history/exchange.ts';
import { type Holder, labelWriteOf } from '../conformance/target/holder.ts';
import { holdersOf, privatesOf, sparesOf } from '../conformance/target/records.ts';
import {
  type ClientSeed,
  type ConversationSeed,
  clientSeed,
  conversationSeed,
  type LabelSeed,
  type SiteSeed,
  siteSeed,
  type TenantSeed,
} from '../mock/seed/schema.ts';
import { seedFromDocument } from '../mock/seed/seed-from-document.ts';
import type { TargetTenant } from '../spec/files/target.ts';
import { uuid } from '../spec/text/uuid.ts';
import { fixtureName, type Recording, secretFor } from './recording.ts';

/** The tenants of a recording as fixtures. */
export interface Seen {
  readonly seeds: readonly TenantSeed[];
  /** What somebody changed in the product meanwhile: no request of the API writes messages. */
  readonly changes: readonly {
    readonly at: number;
    readonly tenant: string;
    readonly id: string;
    readonly fields: Pick<ConversationSeed, 'messages'>;
  }[];
  /** What was seen and no fixture can hold, each with how often. */
  readonly left: ReadonlyMap<string, number>;
}

type JsonObject = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType>>;

/** Records of a tenant as replies show them, with their labels at the beginning. */
export async function seenIn(recording: Recording): Promise<Seen> {
  const left = new Map<string, number>();
  const changes: Seen['changes'][number][] = [];
  const seeds = recording.target.tenants.map((tenant) => {
    const own = recording.exchanges.filter(
      (one) => one.key?.startsWith(`${tenant.name}/`) && one.credential === 'key' && succeeded(one),
    );
    const records = new TenantRecords(left);
    records.addKnown(tenant);
    for (const one of own) if (one.facts?.owner !== 'theirs') records.add(one);
    for (const one of own) if (one.facts?.owner !== 'theirs') records.addLabels(one);
    const seed = records.seed(tenant);
    changes.push(...records.changes.map((change) => ({ ...change, tenant: seed.tenant })));
    return seedFromDocument(seed, tenant.name);
  });
  return { seeds: await Promise.all(seeds), changes, left };
}

type Kind = Holder['kind'] | 'client' | 'user';

/** What replies show of a record: what a fixture says of any kind of record, and both ends of a link. */
type Fields = Partial<ConversationSeed & SiteSeed & ClientSeed> & Partial<Record<'client' | 'site', string>>;

interface Held {
  readonly kind: Kind;
  readonly fields: Fields & { isPrimary?: boolean };
  /** Ids of labels at the beginning; undefined while no reply has shown them. */
  labels?: Set<string>;
  lastMessages?: ConversationSeed['messages'];
  /** Written before any reply showed labels. */
  readonly written: Set<string>;
}

const shapes: Partial<Record<Kind, Shape>> = {
  conversation: conversationSeed.shape,
  site: siteSeed.shape,
  client: clientSeed.shape,
};

/** Whether a fixture can hold a record with this id. */
const isHeld = (kind: Kind, id: string): boolean => shapes[kind]?.id?.safeParse(id).success ?? id !== '';

class TenantRecords {
  /** By id. Those that were only seen by id have no name yet. */
  readonly #labels = new Map<string, Omit<LabelSeed, 'name'> & { readonly name?: string | undefined }>();
  /** By kind and id, in the order in which they were seen. */
  readonly #records = new Map<string, Held>();
  /** Whether a reply listed the labels of the tenant. */
  #isListed = false;
  readonly #contexts: { readonly fields: Fields; readonly body: JsonObject }[] = [];
  readonly #left: Map<string, number>;
  readonly changes: Omit<Seen['changes'][number], 'tenant'>[] = [];

  constructor(left: Map<string, number>) {
    this.#left = left;
  }

  /** What the target file names, which requests may name before a reply shows it. */
  addKnown(known: TargetTenant): void {
    for (const { holder } of holdersOf(known)) this.#holder(holder);
    for (const { id, name } of sparesOf(known)) this.#label(id, name);
    for (const { id, name, on } of privatesOf(known)) {
      this.#labels.set(id.toLowerCase(), { id, name, visibility: 'private' });
      for (const { field, holder } of holdersOf(known))
        if (on.includes(field)) this.#holder(holder).written.add(id.toLowerCase());
    }
  }

  /** What a reply shows of records, apart from which labels they carry. */
  add(exchange: Exchange): void {
    const { operation, params } = exchange;
    const { id = '' } = params;
    const body = jsonOf(exchange);
    const write = labelWriteOf(operation, params);
    if (write !== null) this.#holder(write.holder);
    if (write !== null || operation === 'listLabels') this.#addLabelRecords(body);
    if (operation === 'listLabels') this.#isListed = true;
    if (operation === 'getConversation') this.#take(this.#record('conversation', id), body, operation);
    if (operation === 'getConversationContext') this.#addContext(exchange);
    if (operation === 'getSite') this.#addSite(id, recordIn(body, Object.keys(siteSeed.shape)));
    if (operation === 'getClient') this.#take(this.#record('client', id), body, operation);
    if (operation === 'startSiteFileUpload' || operation === 'registerSiteFile') this.#record('site', id);
  }

  /** Which labels the records carried before the first write that succeeded. */
  addLabels(exchange: Exchange): void {
    const write = labelWriteOf(exchange.operation, exchange.params);
    const isContext = exchange.operation === 'getConversationContext';
    if (write === null && !isContext) return;
    const held = write ? this.#holder(write.holder) : this.#record('conversation', exchange.params.id ?? '');
    if (held.labels !== undefined) return;
    const value = isContext ? recordIn(jsonOf(exchange), ['labels']).labels : jsonOf(exchange);
    if (isContext && !this.#isListed && Array.isArray(value))
      for (const name of value.filter(isFilled)) if (!uuid.test(name)) this.#named(name);
    const shown = this.#shownIn(value);
    if (write !== null) held.written.add(write.label.toLowerCase());
    if (shown !== null) held.labels = new Set([...shown].filter((id) => !held.written.has(id)));
  }

  /** The tenant as the content of a fixture file. */
  seed({ name, keys }: TargetTenant) {
    for (const { fields, body } of this.#contexts) this.#addPeopleAndPlaces(fields, body);
    const all = (kind: Kind) => [...this.#records.values()].filter((one) => one.kind === kind);
    const known = this.#namedLabels();
    const namesOf = ({ labels = new Set(), written }: Held) => {
      const ids = [...labels, ...[...written].filter((id) => known.get(id)?.visibility === 'private')];
      return distinct(ids.flatMap((id) => known.get(id)?.name ?? []));
    };
    const linksOf = (site = '') =>
      all('link')
        .filter(({ fields }) => fields.site === site && isHeld('client', fields.client ?? ''))
        .sort((a, b) => Number(b.fields.isPrimary ?? false) - Number(a.fields.isPrimary ?? false));
    return {
      tenant: fixtureName(name),
      keys: keys.map(({ name, secret, scopes, rateLimit, revoked }) => ({
        ...{ name, secret: secretFor(secret), scopes, rateLimit },
        ...(revoked && { revoked }),
      })),
      users: all('user').map(({ fields }) => fields),
      labels: [...known.values()],
      clients: all('client').map(({ fields }) => ({ ...requiredOfClient, ...fields })),
      sites: all('site').map((held) => ({
        ...held.fields,
        labels: namesOf(held),
        // A site has one primary client.
        clients: linksOf(held.fields.id).map((link, i) => ({
          client: link.fields.client,
          isPrimary: i === 0 && link.fields.isPrimary === true,
          labels: namesOf(link),
        })),
      })),
      conversations: all('conversation').map((held) => ({ ...held.fields, labels: namesOf(held) })),
    };
  }

  /** Takes the fields that a seed can hold, and notes the others. */
  #take({ kind, fields }: Held, given: unknown, where: string): void {
    const shape = shapes[kind] ?? {};
    for (const [name, value] of Object.entries(recordIn(given, Object.keys(shape)))) {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const kept = name === 'id' ? undefined : this.#fitting(schema, value, `${where}: ${name}`);
      if (kept !== undefined) Object.assign(fields, { [name]: kept });
    }
  }

  /** The part of a value that fits a schema; undefined if none does. */
  #fitting(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
    const result = schema?.safeParse(value);
    if (result?.success) return result.data;
    const inner = schema === undefined ? undefined : unwrapped(schema);
    if (Array.isArray(value) && inner?.element)
      return value.flatMap((item) => this.#fitting(inner.element, item, `${where}[]`) ?? []);
    if (isObject(value) && inner?.shape) {
      const entries = Object.entries(value).flatMap(([name, one]) => {
        const own = Object.entries(inner.shape ?? {}).find(([key]) => key === name);
        const kept = this.#fitting(own?.[1], one, `${where}.${name}`);
        return kept === undefined ? [] : [[name, kept]];
      });
      return schema?.safeParse(Object.fromEntries(entries)).data;
    }
    this.#left.set(where, (this.#left.get(where) ?? 0) + 1);
    return undefined;
  }

  #addSite(id: string, { clients, primaryClientId, ...body }: JsonObject): void {
    this.#take(this.#record('site', id), body, 'getSite');
    for (const { isPrimary, ...client } of objectsIn(clients)) {
      if (typeof client.id !== 'string' || !client.id.startsWith('ovcid-')) continue;
      this.#take(this.#record('client', client.id), client, 'getSite: clients[]');
      const { fields } = this.#holder({ kind: 'link', clientId: client.id, siteId: id });
      fields.isPrimary = isPrimary === true || primaryClientId === client.id;
    }
  }

  #addContext({ operation, params: { id = '' }, sentAt, ...reply }: Exchange): void {
    const body = recordIn(jsonOf(reply), ['messages', 'participants', 'subject']);
    const { participants: _, sites: __, labels: ___, ...own } = body;
    const held = this.#record('conversation', id);
    const { fields, lastMessages } = held;
    const { messages: atFirst } = fields;
    this.#take(held, own, String(operation));
    held.lastMessages = fields.messages;
    if (atFirst !== undefined && JSON.stringify(lastMessages) !== JSON.stringify(fields.messages))
      this.changes.push({ at: sentAt, id, fields: { messages: fields.messages } });
    fields.messages = atFirst ?? fields.messages;
    this.#contexts.push({ fields, body });
  }

  /** Everybody and everything that a context shows without an id, found by what is shown, or made. */
  #addPeopleAndPlaces(fields: Fields, { participants, sites }: JsonObject): void {
    const { agents, clients } = isObject(participants) ? participants : {};
    const users = (Array.isArray(agents) ? agents : []).filter(isFilled);
    fields.participants = {
      agents: idsOf(users.map((name) => this.#userLike(name))),
      clients: idsOf(objectsIn(clients).map((client) => this.#clientLike(client))),
    };
    fields.sites = [];
    for (const { id: site, address, serviceLevel, associatedConversations } of objectsIn(sites)) {
      if (typeof site !== 'string' || !isHeld('site', site)) continue;
      fields.sites = distinct([...fields.sites, site]);
      const place = this.#record('site', site).fields;
      if (typeof serviceLevel === 'string') place.serviceLevel = serviceLevel;
      const hasAddress = [place.address1, place.city, place.zip].some((part) => part !== undefined);
      if (typeof address === 'string' && !hasAddress) place.address1 = address;
      for (const other of objectsIn(associatedConversations)) {
        const held = this.#conversationLike(other);
        this.#take(held, other, 'getConversationContext: associatedConversations[]');
        held.fields.sites = distinct([...(held.fields.sites ?? []), site]);
      }
    }
  }

  #userLike(name: string): Held {
    return this.#like('user', { name }, (one) => one.name === name);
  }

  #clientLike({ name, primaryPhoneNumber: phone, primaryEmail: mail }: JsonObject): Held {
    const has = (contacts: readonly { value: string }[] = [], value: unknown) =>
      value === undefined || contacts.some((contact) => contact.value === value);
    const contact = (value: string) => [{ id: madeId(`contact ${value}`), value, isPrimary: true }];
    const made = {
      ...(typeof name === 'string' && { name }),
      ...(typeof phone === 'string' && { phoneNumbers: contact(phone) }),
      ...(typeof mail === 'string' && { emails: contact(mail) }),
    };
    const isIt = (one: Fields) => one.name === name && has(one.phoneNumbers, phone) && has(one.emails, mail);
    return this.#like('client', made, isIt);
  }

  #conversationLike({ friendlyId, subject, status }: JsonObject): Held {
    const isNumbered = (one: Fields) => isFilled(friendlyId) && one.friendlyId === friendlyId;
    const isCalled = (one: Fields) => one.friendlyId === undefined && one.subject === subject && one.status === status;
    const made = { ...(isFilled(friendlyId) && { friendlyId }), ...(isFilled(subject) && { subject }) };
    return this.#like('conversation', made, isNumbered, isCalled);
  }

  /** The record that is shown without an id, found in the first of these ways that finds one, or else made. */
  #like(kind: Kind, made: Fields, ...ways: ((fields: Fields) => boolean)[]): Held {
    const all = [...this.#records.values()].filter((one) => one.kind === kind);
    const [known] = ways.flatMap((isIt) => all.filter(({ fields }) => isIt(fields)));
    const id = `${kind === 'client' ? 'ovcid-' : ''}${madeId(JSON.stringify([kind, made]))}`;
    return known ?? this.#record(kind, id, made);
  }

  #record(kind: Kind, given: string, own: Fields = {}): Held {
    const id = kind === 'conversation' ? given.toLowerCase() : given;
    const held = this.#records.get(`${kind} ${id}`) ?? { kind, fields: { id, ...own }, written: new Set<string>() };
    if (isHeld(kind, id)) this.#records.set(`${kind} ${id}`, held);
    return held;
  }

  #holder(holder: Holder): Held {
    if (holder.kind !== 'link') return this.#record(holder.kind, holder.id);
    const { clientId: client, siteId: site } = holder;
    this.#record('client', client);
    this.#record('site', site);
    return this.#record('link', `${client} ${site}`, { client, site });
  }

  /** A label of which only the name was seen. */
  #named(name: string): void {
    const isIt = (one: { readonly name?: string | undefined }) => one.name?.toLowerCase() === name.toLowerCase();
    if (![...this.#labels.values()].some(isIt)) this.#label(madeId(`label ${name}`), name);
  }

  #label(id: string, name?: string): void {
    const known = this.#labels.get(id.toLowerCase());
    if (known?.visibility !== 'private' && !known?.name)
      this.#labels.set(id.toLowerCase(), { id, name, visibility: 'public' });
  }

  /** Labels of a fixture have names of their own. */
  #namedLabels(): ReadonlyMap<string, LabelSeed> {
    const byName = Map.groupBy(this.#labels.values(), ({ name }) => name);
    const own = ({ id, name }: { readonly id: string; readonly name?: string | undefined }) =>
      byName.get(name)?.[0]?.id === id && name ? name : `${name || 'label'} ${id}`;
    return new Map([...this.#labels].map(([id, label]) => [id, { ...label, name: own(label) }]));
  }

  /** Every record with a UUID and a name, and every UUID in a list or as the name of a property. */
  #addLabelRecords(body: unknown): void {
    for (const [path, value] of valuesOf(body)) {
      // What stands inside a label, such as its group, is none.
      if (path.slice(0, -1).some((step) => typeof step === 'number')) continue;
      if (!isObject(value)) {
        if (typeof value === 'string' && uuid.test(value) && typeof path.at(-1) === 'number') this.#label(value);
        continue;
      }
      const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      const ids = texts.filter(([, text]) => uuid.test(text));
      const [, id] = ids.find(([key]) => /^(?:label_?)?(?:id|uuid|key)$/i.test(key)) ?? ids[0] ?? [];
      const [, name] =
        texts.find(([key]) => /name|title/i.test(key)) ?? texts.find(([, text]) => !uuid.test(text)) ?? [];
      // The body itself names the record that carries labels.
      if (id !== undefined && path.length > 0 && name !== undefined) this.#label(id, name);
      for (const key of Object.keys(value)) if (uuid.test(key)) this.#label(key);
    }
  }

  /** The public labels that a value shows, by id or name; null if it shows no list. */
  #shownIn(value: unknown): Set<string> | null {
    const values = valuesOf(value);
    const isList = values.some(([, one]) => Array.isArray(one) || (isObject(one) && Object.keys(one).some(isUuid)));
    if (!isList) return null;
    const publics = [...this.#labels.values()].filter(({ visibility }) => visibility === 'public');
    const texts = new Set(
      values.flatMap(([path, one]) => [
        ...(typeof one === 'string' && path.length > 0 ? [one.toLowerCase()] : []),
        ...path.flatMap((step) => (typeof step === 'string' && uuid.test(step) ? [step.toLowerCase()] : [])),
      ]),
    );
    const byId = publics.filter(({ id }) => texts.has(id.toLowerCase()));
    const found = byId.length > 0 ? byId : publics.filter(({ name }) => name && texts.has(name.toLowerCase()));
    return new Set(found.map(({ id }) => id.toLowerCase()));
  }
}

/** A client of whom only the id was seen. */
const requiredOfClient = { name: '', firstName: '', lastName: '', createdAt: '2000-01-01T00:00:00Z' };

const idsOf = (records: readonly Held[]) => distinct(records.flatMap(({ fields }) => fields.id ?? []));
const distinct = (ids: readonly string[]) => [...new Set(ids)];
const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const objectsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isObject) : []);
const isUuid = (text: string) => uuid.test(text);

/** The record of a reply: the object with most of these properties, which may stand deeper. */
function recordIn(body: unknown, names: readonly string[]): JsonObject {
  const hits = (value: unknown) => (isObject(value) ? names.filter((name) => Object.hasOwn(value, name)).length : -1);
  const candidates = isObject(body) ? [body, ...Object.values(body)] : [];
  const best = candidates.toSorted((a, b) => hits(b) - hits(a))[0];
  return isObject(best) ? best : {};
}

/** The element of a schema of lists and the shape of a schema of objects, if optional too. */
function unwrapped(schema: z.ZodType): { readonly element?: z.ZodType; readonly shape?: Shape } {
  const inner = 'unwrap' in schema && !('element' in schema) ? (schema as z.ZodOptional<z.ZodType>).unwrap() : schema;
  return inner as { element?: z.ZodType; shape?: Shape };
}

/** A UUID that is the same for the same text: what a recording shows without an id gets one. */
function madeId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
