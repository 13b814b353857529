import {
  buckets,
  type Choices,
  contentTypeIn,
  type Inbound,
  isTooLarge,
  isUuid,
  jsonIn,
  type Outbound,
  refusalOf,
  refuse,
  routed,
  type Service,
  store,
  throttledBy,
} from './base.ts';
import { type Label, linkKey, type Partner, partners } from './world.ts';

interface Holder {
  readonly tags: Set<string>;
}

/** One document for each record, with its labels inside, as a document store has them. */
class Collection {
  readonly #documents = new Map<string, Holder & { readonly value: unknown }>();

  add(id: string, value: unknown, tags: readonly string[] = []): void {
    this.#documents.set(id, { value, tags: new Set(tags) });
  }

  get(id: string): Holder & { readonly value: unknown } {
    return this.#documents.get(id) ?? refuse('record');
  }
}

/** What one partner has. A foreign id is looked for in no other partner's. */
class Space {
  readonly partner: Partner;
  readonly talks = new Collection();
  readonly homes = new Collection();
  readonly people = new Collection();
  readonly links = new Collection();
  readonly files = new Map<string, { readonly site: string; readonly type: string; done?: object }>();

  constructor(partner: Partner) {
    this.partner = partner;
    const { talks, homes, people, links, carried, labels } = partner;
    const tagsOf = (holder: string) =>
      (carried[holder] ?? []).flatMap((name) => labels.filter((label) => label.name === name).map(({ id }) => id));
    const created = '2026-02-03T04:05:06+00:00';
    const personOf = (id: string) => {
      const { first, last, phone } = people.find((one) => one.id === id) ?? { first: '', last: '', phone: '' };
      const phoneNumbers = [{ id: `a0000000${id.slice(14)}`, value: phone, label: 'mobile', isPrimary: true, ext: 0 }];
      return {
        id,
        name: `${first} ${last}`,
        firstName: first,
        lastName: last,
        createdAt: created,
        updatedAt: created,
        phoneNumbers,
      };
    };
    for (const { id } of people) this.people.add(id, personOf(id));
    for (const [person, home] of links) this.links.add(linkKey(person, home), null, tagsOf(linkKey(person, home)));
    for (const { id, street, city } of homes) {
      const clients = links.flatMap(([person, home]) =>
        home === id ? [{ ...personOf(person), isPrimary: true }] : [],
      );
      this.homes.add(
        id,
        { id, address1: street, city, state: 'NV', zip: '89501', createdAt: created, updatedAt: created, clients },
        tagsOf(id),
      );
    }
    for (const { id, number, subject, isClosed, home, person, said } of talks) {
      const place = homes.find((one) => one.id === home);
      const who = people.find((one) => one.id === person);
      const name = `${who?.first} ${who?.last}`;
      const status = isClosed ? 'done' : 'waiting';
      const head = {
        id,
        friendlyId: number,
        subject,
        status,
        type: 'ticket',
        urgency: '2',
        createdAt: created,
        updatedAt: created,
      };
      const context = {
        subject,
        messages: said.map((text) => ({
          author: name,
          role: 'customer',
          createdAt: created,
          text,
          isInternal: false,
          rawBody: text,
          attachments: [],
        })),
        status,
        type: 'ticket',
        urgency: '2',
        requester: name,
        participants: {
          agents: ['Robin'],
          clients: [{ name, primaryPhoneNumber: who?.phone, primaryEmail: who?.mail }],
        },
        sites: [{ address: place?.street, serviceLevel: place?.level, id: home, associatedConversations: [] }],
      };
      this.talks.add(id, { head, context }, tagsOf(id));
    }
  }

  labelsOf({ tags }: Holder): Label[] {
    return this.partner.labels.filter(({ id, isPrivate }) => tags.has(id) && !isPrivate);
  }
}

/**
 * A gateway that knows keys and limits, and answers in words of its own, in front of a service that knows the rest. The service checks the scope, then
 * the body, then ids and records. To register a file again answers as the first time.
 */
export function documents(choices: Choices): Service {
  const spaces = new Map(partners.map((partner) => [partner.name, new Space(partner)]));
  const files = store(choices.stored);
  const wait = buckets({ burst: 30 });

  const service = (
    space: Space,
    operation: string,
    params: Readonly<Record<string, string>>,
    request: Inbound,
  ): Outbound => {
    const { id = '', labelId = '', clientId = '', siteId = '' } = params;
    const holderOf = (kind: string): readonly [Holder, Readonly<Record<string, string>>] => {
      if (kind === 'Site') return [space.homes.get(id), { siteId: id }];
      if (kind === 'ClientSite') return [space.links.get(linkKey(clientId, siteId)), { clientId, siteId }];
      return [space.talks.get(isUuid(id) ? id.toLowerCase() : refuse('id')), { conversationId: id }];
    };
    const [, act, kind = ''] = /^(apply|remove)(\w+)Label$/.exec(operation) ?? [];
    if (act !== undefined) {
      if (!isUuid(labelId)) refuse('id');
      const [holder, ids] = holderOf(kind);
      const label =
        space.partner.labels.find((one) => one.id === labelId.toLowerCase() && !one.isPrivate) ?? refuse('label');
      if (act === 'apply') holder.tags.add(label.id);
      else holder.tags.delete(label.id);
      const labels = space.labelsOf(holder);
      if (kind === 'Site') return { status: 200, body: { ...ids, labels: labels.map(choices.item) } };
      return { status: 200, body: choices.carried(labels, ids) };
    }
    if (operation === 'getHealth') return { status: 200, body: { status: 'ok' } };
    if (operation === 'listLabels')
      return {
        status: 200,
        body: choices.listed(space.partner.labels.filter((label) => !label.isPrivate).toReversed()),
      };
    if (operation === 'getSite') return { status: 200, body: space.homes.get(id).value };
    if (operation === 'getClient') return { status: 200, body: space.people.get(id).value };
    if (operation.startsWith('getConversation')) {
      const [holder] = holderOf('Conversation');
      const { head, context } = space.talks.get(id.toLowerCase()).value as { head: object; context: object };
      if (operation === 'getConversation') return { status: 200, body: head };
      return { status: 200, body: { ...context, labels: space.labelsOf(holder).map(({ name }) => name) } };
    }
    if (operation === 'startSiteFileUpload') {
      const type = contentTypeIn(request);
      space.homes.get(id);
      const issued = files.issue(type, request.now);
      space.files.set(issued.fileKey, { site: id, type });
      return { status: 201, body: issued };
    }
    const { fileKey } = jsonIn(request);
    if (typeof fileKey !== 'string' || !isUuid(fileKey)) return refuse('content');
    space.homes.get(id);
    const file = space.files.get(fileKey);
    if (file === undefined || file.site !== id) return refuse('record');
    const size = files.sizeOf(fileKey) ?? refuse('early');
    file.done ??= { fileKey, siteId: id, contentType: file.type, size, createdAt: new Date(request.now).toISOString() };
    return { status: choices.registered, body: file.done };
  };

  return (request) => {
    const { url, headers, method, now } = request;
    if (url.host.startsWith('store.')) return files.put(request);
    const owner = partners.find(({ keys }) => keys.some(({ secret }) => secret === headers['x-api-key']));
    const key = owner?.keys.find(({ secret }) => secret === headers['x-api-key']);
    const space = spaces.get(owner?.name ?? '');
    if (space === undefined || key === undefined || key.revoked) return refusalOf(choices, 'key');
    const early = wait(key.secret, now);
    if (early > 0) return throttledBy(choices, early);
    if (isTooLarge(request)) refuse('large');
    const route = routed(choices, method, url.pathname);
    // The framework of this one knows no other answer than 404 for what is not routed.
    if (!('operation' in route)) return refuse('path');
    if (!route.scopes.every((scope) => key.scopes.includes(scope))) refuse('scope');
    return service(space, route.operation, route.params, request);
  };
}
