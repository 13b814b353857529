import { buckets, type Choices, contentTypeIn, fileKeyIn, isUuid, refuse, type Service, serving } from './base.ts';
import { contextOf, headOf, labelled, personOf, type Words } from './replies.ts';
import { type Home, type Label, linkKey, type Partner, type Person, partners } from './world.ts';

const words: Words = {
  at: '2026-02-03T04:05:06+00:00',
  statuses: ['waiting', 'done'],
  type: 'ticket',
  urgency: '2',
  agents: ['Robin'],
  message: () => ({ role: 'customer' }),
};

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

  constructor(partner: Partner) {
    this.partner = partner;
    const { talks, homes, people, links, carried, labels } = partner;
    const tagsOf = (holder: string) =>
      (carried[holder] ?? []).flatMap((name) => labels.filter((label) => label.name === name).map(({ id }) => id));
    const times = { createdAt: words.at, updatedAt: words.at };
    const clientOf = (person: Person) => ({
      ...personOf(person, words.at),
      ...times,
      phoneNumbers: [
        { id: `a0000000${person.id.slice(14)}`, value: person.phone, label: 'mobile', isPrimary: true, ext: 0 },
      ],
    });
    const person = (id: string) => people.find((one) => one.id === id) as Person;
    for (const one of people) this.people.add(one.id, clientOf(one));
    for (const [who, home] of links) this.links.add(linkKey(who, home), null, tagsOf(linkKey(who, home)));
    for (const { id, street, city } of homes) {
      const clients = links
        .filter(([, home]) => home === id)
        .map(([who]) => ({ ...clientOf(person(who)), isPrimary: true }));
      const address = { address1: street, city, state: 'NV', zip: '89501' };
      this.homes.add(id, { id, ...address, ...times, clients }, tagsOf(id));
    }
    for (const talk of talks) {
      const home = homes.find(({ id }) => id === talk.home) as Home;
      const context = contextOf(talk, person(talk.person), home, words);
      this.talks.add(talk.id, { head: headOf(talk, words), context }, tagsOf(talk.id));
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
  return serving(choices, {
    order: ['rate', 'size', 'route', 'scope'],
    wait: buckets({ burst: 30 }),
    // The framework of this one knows no other answer than 404 for what is not routed.
    otherMethods: 'unknown',
    answer(call) {
      const { partner, operation, params, request, files } = call;
      const { id = '', labelId = '', clientId = '', siteId = '' } = params;
      const space = spaces.get(partner.name) ?? refuse('key');
      const ok = (body: unknown) => ({ status: 200, body });
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
          partner.labels.find((one) => one.id === labelId.toLowerCase() && !one.isPrivate) ?? refuse('label');
        holder.tags[act === 'apply' ? 'add' : 'delete'](label.id);
        return labelled(choices, ids, space.labelsOf(holder));
      }
      switch (operation) {
        case 'getHealth':
          return ok({ status: 'ok' });
        case 'listLabels':
          return ok(choices.listed(partner.labels.filter((label) => !label.isPrivate).toReversed()));
        case 'getSite':
          return ok(space.homes.get(id).value);
        case 'getClient':
          return ok(space.people.get(id).value);
        case 'getConversation':
        case 'getConversationContext': {
          const [holder] = holderOf('Conversation');
          const { head, context } = space.talks.get(id.toLowerCase()).value as { head: object; context: object };
          const labels = space.labelsOf(holder).map(({ name }) => name);
          return ok(operation === 'getConversation' ? head : { ...context, labels });
        }
        case 'startSiteFileUpload': {
          const contentType = contentTypeIn(request);
          space.homes.get(id);
          return files.start(partner.name, id, contentType, request.now);
        }
        default: {
          const fileKey = fileKeyIn(request, true);
          space.homes.get(id);
          return files.register(call, id, fileKey, { again: 'the same' });
        }
      }
    },
  });
}
