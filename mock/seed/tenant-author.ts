import { type Collections, createCollections } from './collections.ts';
import type {
  ClientSeed,
  ConversationSeed,
  KeySeed,
  LabelSeed,
  LinkSeed,
  SiteSeed,
  TenantSeed,
  UserSeed,
} from './schema.ts';
import { type Claim, Shelf } from './shelf.ts';

/** The part of a collection that authors use: records are made once, then only read. */
type Authored<Kind extends keyof Collections> = Pick<
  Collections[Kind],
  'create' | 'findFirst' | 'findMany' | 'all' | 'count'
>;

/**
 * The collections of one tenant, related to each other: what a seed is written with. `labels`, `site`, `client` and the
 * like take the records themselves. `links` are client-site links: `{ site, client, isPrimary?, labels? }`.
 */
export type TenantCollections = { readonly [Kind in keyof Collections]: Authored<Kind> };

/**
 * Writes one tenant's seed through related collections. Every record is checked when it is created: its shape, that
 * its id, name or secret is not taken, and that what it refers to belongs to this tenant. A record that fails throws
 * a ConfigurationError and leaves nothing behind.
 */
export class TenantAuthor {
  readonly db: TenantCollections;
  readonly #places = new WeakMap<object, string>();
  readonly #keys: Shelf<KeySeed>;
  readonly #users: Shelf<UserSeed>;
  readonly #labels: Shelf<LabelSeed>;
  readonly #clients: Shelf<ClientSeed>;
  readonly #sites: Shelf<SiteSeed>;
  readonly #links: Shelf<LinkSeed>;
  readonly #conversations: Shelf<ConversationSeed>;

  /** @param where what to call the tenant in errors: its file, or its name */
  constructor(where: string) {
    this.#keys = new Shelf(where, 'keys');
    this.#users = new Shelf(where, 'users');
    this.#labels = new Shelf(where, 'labels');
    this.#clients = new Shelf(where, 'clients');
    this.#sites = new Shelf(where, 'sites');
    this.#links = new Shelf(where, 'links');
    this.#conversations = new Shelf(where, 'conversations');
    const collections = createCollections(where);
    this.#watch(collections);
    this.db = collections;
  }

  /** Says where in its document the record stands that `input` will create, for its errors. Returns `input`. */
  at<Input extends object>(place: string, input: Input): Input {
    this.#places.set(input, place);
    return input;
  }

  /** All that was created so far, in the order of creation. */
  seed(tenant: string, description?: string): TenantSeed {
    return {
      tenant,
      ...(description !== undefined && { description }),
      keys: this.#keys.seeds,
      users: this.#users.seeds,
      labels: this.#labels.seeds,
      clients: this.#clients.seeds,
      sites: this.#sites.seeds,
      conversations: this.#conversations.seeds,
    };
  }

  /**
   * The seed is taken down as records are created, from what the author wrote: reading it back from the relations
   * would look through a whole collection for every reference, and lose the order in which they were given. The hooks
   * are early ones, set after the relations', so that they run before them and their clearer errors come first.
   */
  #watch({ keys, users, labels, clients, sites, links, conversations }: Collections): void {
    keys.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      const secret = { field: 'secret', value: record.secret, taken: 'this secret is already used' };
      this.#keys.claim(this.#placeOf(initialValues, this.#keys), [{ field: 'name', value: record.name }, secret]);
      this.#keys.add(record, structuredClone(initialValues));
    });
    users.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      this.#users.claim(this.#placeOf(initialValues, this.#users), [{ field: 'id', value: record.id }]);
      this.#users.add(record, structuredClone(initialValues));
    });
    labels.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      const name = { field: 'name', value: record.name };
      this.#labels.claim(this.#placeOf(initialValues, this.#labels), [{ field: 'id', value: record.id }, name]);
      this.#labels.add(record, structuredClone(initialValues));
    });
    clients.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      this.#clients.claim(this.#placeOf(initialValues, this.#clients), [{ field: 'id', value: record.id }]);
      this.#clients.add(record, structuredClone(initialValues));
    });
    sites.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      const { labels, ...own } = initialValues;
      const place = this.#placeOf(initialValues, this.#sites);
      const site = { ...structuredClone(own), ...this.#labelNames(labels, place) };
      this.#sites.claim(place, [{ field: 'id', value: record.id }]);
      this.#sites.add(record, site);
    });
    links.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      const { site, client, labels, ...own } = initialValues;
      const place = this.#placeOf(initialValues, this.#links);
      const linked = this.#sites.get(site, `${place}.site`);
      const link = {
        client: this.#clients.get(client, `${place}.client`).id,
        ...own,
        ...this.#labelNames(labels, place),
      };
      this.#links.claim(place, linkClaims(linked.id, link));
      this.#links.add(record, link);
      linked.clients = [...(linked.clients ?? []), link];
    });
    conversations.hooks.earlyOn('create', ({ data: { record, initialValues = record } }) => {
      const { labels, sites, participants, ...own } = initialValues;
      const place = this.#placeOf(initialValues, this.#conversations);
      const agents = participants?.agents && this.#users.getAll(participants.agents, `${place}.participants.agents`);
      const people =
        participants?.clients && this.#clients.getAll(participants.clients, `${place}.participants.clients`);
      const conversation: ConversationSeed = { ...structuredClone(own), ...this.#labelNames(labels, place) };
      if (sites) conversation.sites = this.#sites.getAll(sites, `${place}.sites`).map(({ id }) => id);
      if (participants) {
        conversation.participants = {
          ...(agents && { agents: agents.map(({ id }) => id) }),
          ...(people && { clients: people.map(({ id }) => id) }),
        };
      }
      this.#conversations.claim(place, [{ field: 'id', value: record.id }]);
      this.#conversations.add(record, conversation);
    });
  }

  #placeOf(input: object, shelf: { readonly nextPlace: string }): string {
    return this.#places.get(input) ?? shelf.nextPlace;
  }

  #labelNames(labels: readonly object[] | undefined, place: string): { labels?: string[] } {
    return labels ? { labels: this.#labels.getAll(labels, `${place}.labels`).map(({ name }) => name) } : {};
  }
}

/** A client is linked to a site once, and a site has one primary client at most. */
function linkClaims(site: string, { client, isPrimary }: LinkSeed): Claim[] {
  const once = {
    field: 'client',
    value: JSON.stringify([client, site]),
    taken: `client ${client} is already linked to site ${site}`,
  };
  const primary = { field: 'isPrimary', value: site, taken: `site ${site} already has a primary client` };
  return isPrimary === true ? [once, primary] : [once];
}
