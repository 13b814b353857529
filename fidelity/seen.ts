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
import { uuid } from '../spec/text/uuid.ts';
import { fixtureName, type RecordedTenant, type Recording, secretFor } from './recording.ts';

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
  const seeds = recording.tenants.map((tenant) => {
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

interface Held<Seed> {
  readonly fields: Partial<Seed>;
  /** Ids of labels at the beginning; undefined while no reply has shown them. */
  labels?: Set<string>;
  lastMessages?: ConversationSeed['messages'];
  /** Written before any reply showed labels. */
  readonly written: Set<string>;
}

class TenantRecords {
  readonly #labels = new Map<string, LabelSeed>();
  readonly #conversations = new Map<string, Held<ConversationSeed>>();
  readonly #sites = new Map<string, Held<SiteSeed>>();
  readonly #links = new Map<string, Held<{ client: string; site: string; isPrimary: boolean }>>();
  readonly #clients = new Map<string, Partial<ClientSeed>>();
  readonly #users = new Map<string, string>();
  readonly #contexts: { readonly id: string; readonly body: JsonObject }[] = [];
  readonly #left: Map<string, number>;
  readonly changes: Omit<Seen['changes'][number], 'tenant'>[] = [];

  constructor(left: Map<string, number>) {
    this.#left = left;
  }

  /** What the target file names, which requests may name before a reply shows it. */
  addKnown({ known }: RecordedTenant): void {
    if (known === undefined) return;
    for (const { holder } of holdersOf(known)) this.#held(holder);
    for (const { id, name } of sparesOf(known)) this.#label(id, name);
    for (const { id, name = `private label ${id}`, on } of privatesOf(known)) {
      this.#labels.set(id.toLowerCase(), { id, name, visibility: 'private' });
      for (const { field, holder } of holdersOf(known))
        if (on.includes(field)) this.#held(holder).written.add(id.toLowerCase());
    }
  }

  /** What a reply shows of records, apart from which labels they carry. */
  add(exchange: Exchange): void {
    const { operation, params } = exchange;
    const body = jsonOf(exchange);
    const { id = '' } = params;
    if (operation === 'listLabels') this.#addLabelRecords(body);
    if (operation === 'getConversation')
      this.#take(conversationSeed.shape, body, this.#conversation(id).fields, operation);
    if (operation === 'getConversationContext') {
      const found = recordIn(body, ['messages', 'participants', 'subject']);
      const { participants: _, sites: __, labels: ___, ...own } = found;
      const { messages } = this.#conversation(id).fields;
      this.#take(conversationSeed.shape, own, this.#conversation(id).fields, operation);
      this.#contexts.push({ id, body: found });
      const held = this.#conversation(id);
      const { messages: now } = held.fields;
      if (messages !== undefined && JSON.stringify(held.lastMessages) !== JSON.stringify(now))
        this.changes.push({ at: exchange.sentAt, id, fields: { messages: now } });
      held.lastMessages = now;
      held.fields.messages = messages ?? now;
    }
    if (operation === 'getSite') this.#addSite(id, recordIn(body, Object.keys(siteSeed.shape)));
    if (operation === 'getClient') this.#addClient(id, recordIn(body, Object.keys(clientSeed.shape)), operation);
    if (operation === 'startSiteFileUpload' || operation === 'registerSiteFile') this.#site(id);
    const write = labelWriteOf(operation, params);
    if (write === null) return;
    this.#held(write.holder);
    this.#addLabelRecords(body);
  }

  /** Which labels the records carried before the first write that succeeded. */
  addLabels(exchange: Exchange): void {
    const write = labelWriteOf(exchange.operation, exchange.params);
    const isContext = exchange.operation === 'getConversationContext';
    if (write === null && !isContext) return;
    const held = write === null ? this.#conversation(exchange.params.id ?? '') : this.#held(write.holder);
    const label = write?.label.toLowerCase();
    if (held.labels !== undefined) return;
    const shown = this.#shownIn(isContext ? recordIn(jsonOf(exchange), ['labels']).labels : jsonOf(exchange));
    if (label !== undefined) held.written.add(label);
    if (shown === null) return;
    held.labels = new Set([...shown].filter((id) => !held.written.has(id)));
  }

  /** The tenant as the content of a fixture file. */
  seed({ name, keys }: RecordedTenant) {
    for (const { id, body } of this.#contexts) this.#addContext(id, body);
    const namesOf = ({ labels = new Set(), written }: Held<unknown>) => {
      const ids = [...labels, ...[...written].filter((id) => this.#isPrivate(id))];
      return [...new Set(ids.flatMap((id) => this.#labels.get(id)?.name ?? []))];
    };
    return {
      tenant: fixtureName(name),
      keys: keys.map(({ mark, name, scopes, rateLimit, revoked }) => ({
        name,
        secret: secretFor(mark),
        scopes,
        ...(rateLimit && { rateLimit }),
        ...(revoked && { revoked }),
      })),
      users: [...this.#users].map(([user, id]) => ({ id, name: user })),
      labels: [...this.#labels.values()],
      clients: [...this.#clients].map(([id, fields]) => ({ ...requiredOfClient, ...fields, id })),
      sites: [...this.#sites].map(([id, held]) => ({
        ...held.fields,
        id,
        labels: namesOf(held),
        clients: [...this.#links.values()]
          .filter(({ fields }) => fields.site === id)
          .sort((a, b) => Number(b.fields.isPrimary ?? false) - Number(a.fields.isPrimary ?? false))
          // A site has one primary client.
          .map((link, i) => ({
            client: link.fields.client,
            isPrimary: i === 0 && link.fields.isPrimary === true,
            labels: namesOf(link),
          })),
      })),
      conversations: [...this.#conversations.values()].map((held) => ({ ...held.fields, labels: namesOf(held) })),
    };
  }

  readonly #isPrivate = (id: string) => this.#labels.get(id)?.visibility === 'private';

  /** Takes the fields that a seed can hold, and notes the others. */
  #take<Seed>(shape: Shape, given: unknown, into: Partial<Seed>, where: string): void {
    for (const [name, value] of Object.entries(recordIn(given, Object.keys(shape)))) {
      if (name === 'id') continue;
      const kept = this.#fitting(shape[name], value, `${where}: ${name}`);
      if (kept !== undefined) Object.assign(into, { [name]: kept });
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
        const kept = this.#fitting(inner.shape?.[name], one, `${where}.${name}`);
        return kept === undefined ? [] : [[name, kept]];
      });
      return schema?.safeParse(Object.fromEntries(entries)).data;
    }
    this.#left.set(where, (this.#left.get(where) ?? 0) + 1);
    return undefined;
  }

  #addSite(id: string, { clients, primaryClientId, ...body }: JsonObject): void {
    this.#take(siteSeed.shape, body, this.#site(id).fields, 'getSite');
    for (const client of Array.isArray(clients) ? clients.filter(isObject) : []) {
      if (typeof client.id !== 'string' || !client.id.startsWith('ovcid-')) continue;
      const { isPrimary, ...record } = client;
      this.#addClient(client.id, record, 'getSite: clients[]');
      const link = this.#held({ kind: 'link', clientId: client.id, siteId: id });
      Object.assign(link.fields, { isPrimary: isPrimary === true || primaryClientId === client.id });
    }
  }

  #addClient(id: string, body: JsonObject, where: string): void {
    const fields = this.#clients.get(id) ?? {};
    this.#clients.set(id, fields);
    this.#take(clientSeed.shape, body, fields, where);
  }

  /** Everybody and everything that a context shows without an id, found by what is shown, or made. */
  #addContext(id: string, { participants, sites }: JsonObject): void {
    const { fields } = this.#conversation(id);
    const { agents, clients } = isObject(participants) ? participants : {};
    const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
    const users = list(agents).filter((agent): agent is string => typeof agent === 'string' && agent !== '');
    fields.participants = {
      agents: [...new Set(users)].map((user) => this.#user(user)),
      clients: [
        ...new Set(
          list(clients)
            .filter(isObject)
            .map((client) => this.#clientLike(client)),
        ),
      ],
    };
    const shown = list(sites).filter(isObject);
    fields.sites = [...new Set(shown.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? id : [])))];
    for (const { id: site, address, serviceLevel, associatedConversations } of shown) {
      if (typeof site !== 'string' || site === '') continue;
      const place = this.#site(site).fields;
      if (typeof serviceLevel === 'string') place.serviceLevel = serviceLevel;
      const hasAddress = [place.address1, place.city, place.zip].some((part) => part !== undefined);
      if (typeof address === 'string' && !hasAddress) place.address1 = address;
      for (const other of list(associatedConversations).filter(isObject)) {
        const { fields } = this.#conversationLike(other);
        this.#take(conversationSeed.shape, other, fields, 'getConversationContext: associatedConversations[]');
        fields.sites = [...new Set([...(fields.sites ?? []), site])];
      }
    }
  }

  #user(name: string): string {
    const id = this.#users.get(name) ?? madeId(`user ${name}`);
    this.#users.set(name, id);
    return id;
  }

  #clientLike({ name, primaryPhoneNumber: phone, primaryEmail: mail }: JsonObject): string {
    const has = (contacts: readonly { value: string }[] = [], value: unknown) =>
      value === undefined || contacts.some((contact) => contact.value === value);
    const [known] =
      [...this.#clients].find(
        ([, client]) => client.name === name && has(client.phoneNumbers, phone) && has(client.emails, mail),
      ) ?? [];
    if (known !== undefined) return known;
    const id = `ovcid-${madeId(`client ${name} ${phone} ${mail}`)}`;
    const contact = (value: unknown) =>
      typeof value === 'string' ? [{ id: madeId(`contact ${value}`), value, isPrimary: true }] : undefined;
    this.#clients.set(id, {
      ...(typeof name === 'string' && { name }),
      ...(contact(phone) && { phoneNumbers: contact(phone) }),
      ...(contact(mail) && { emails: contact(mail) }),
    });
    return id;
  }

  #conversationLike({ friendlyId, subject, status }: JsonObject): Held<ConversationSeed> {
    const all = [...this.#conversations.values()];
    const isLike = ({ fields }: Held<ConversationSeed>) =>
      fields.friendlyId === undefined && fields.subject === subject && fields.status === status;
    return (
      all.find(({ fields }) => friendlyId !== undefined && fields.friendlyId === friendlyId) ??
      all.find(isLike) ??
      this.#conversation(madeId(`conversation ${friendlyId} ${subject}`))
    );
  }

  #conversation(id: string): Held<ConversationSeed> {
    const key = id.toLowerCase();
    const held = this.#conversations.get(key) ?? { fields: { id: key }, written: new Set<string>() };
    if (uuid.test(key)) this.#conversations.set(key, held);
    return held;
  }

  #site(id: string): Held<SiteSeed> {
    const held = this.#sites.get(id) ?? { fields: {}, written: new Set<string>() };
    if (id !== '') this.#sites.set(id, held);
    return held;
  }

  #held(holder: Holder): Held<unknown> & { fields: object } {
    if (holder.kind === 'conversation') return this.#conversation(holder.id);
    if (holder.kind === 'site') return this.#site(holder.id);
    const { clientId: client, siteId: site } = holder;
    const key = `${client} ${site}`;
    const held = this.#links.get(key) ?? { fields: { client, site }, written: new Set<string>() };
    this.#links.set(key, held);
    this.#site(site);
    this.#clients.set(client, this.#clients.get(client) ?? {});
    return held;
  }

  #label(id: string, name?: string): void {
    const known = this.#labels.get(id.toLowerCase());
    if (known !== undefined && (known.visibility === 'private' || name === undefined || !isMade(known))) return;
    const isTaken = [...this.#labels.values()].some((one) => one.name === name && one.id !== id);
    const own = name === undefined || name === '' ? madeName(id) : isTaken ? `${name} ${id}` : name;
    this.#labels.set(id.toLowerCase(), { id, name: own, visibility: 'public' });
  }

  /** Every record with a UUID and a name, and every UUID in a list or as the name of a property. */
  #addLabelRecords(body: unknown): void {
    for (const [path, value] of valuesOf(body)) {
      if (!isObject(value)) {
        if (typeof value === 'string' && uuid.test(value) && typeof path.at(-1) === 'number') this.#label(value);
        continue;
      }
      const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      const [, id] = texts.find(([, text]) => uuid.test(text)) ?? [];
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
    const found = byId.length > 0 ? byId : publics.filter(({ name }) => texts.has(name.toLowerCase()));
    return new Set(found.map(({ id }) => id.toLowerCase()));
  }
}

/** A client of whom only the id was seen. */
const requiredOfClient = { name: 'Client', firstName: '', lastName: '', createdAt: '2000-01-01T00:00:00Z' };

const isUuid = (text: string) => uuid.test(text);
const madeName = (id: string) => `label ${id}`;
const isMade = ({ id, name }: LabelSeed) => name === madeName(id);

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
