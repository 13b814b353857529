import type { OperationId } from '../../../spec/operations.ts';
import type { TenantSeed } from '../../index.ts';

/** One request of one tenant's client, as the model and the driver understand it. */
export interface Step {
  readonly operation: OperationId | 'putFile';
  /** Which key of the tenant is sent, by name; null sends none, and a name that no key has sends an unknown secret. */
  readonly key: string | null;
  readonly conversation: string;
  readonly site: string;
  readonly client: string;
  readonly label: string;
  /** Of `registerSiteFile` and `putFile`. */
  readonly fileKey: string;
  /** Of `startSiteFileUpload`; undefined leaves the property out. */
  readonly contentType: string | undefined;
  /** What `putFile` sends. */
  readonly bytes: string;
}

/** The expected reply: a success, with its body if it can be predicted, or a refusal with this code. */
export interface Expected {
  readonly status: number;
  readonly body?: unknown;
  readonly code?: string;
}

interface File {
  readonly site: string;
  readonly contentType: string;
  size: number | null;
  registered: boolean;
}

const refused = (status: number, code: string): Expected => ({ status, code });
const forbidden = refused(403, 'FORBIDDEN');
const badRequest = refused(400, 'BAD_REQUEST');
const notFound = refused(404, 'NOT_FOUND');
const conflict = refused(409, 'CONFLICT');
const unprocessable = refused(422, 'UNPROCESSABLE_ENTITY');

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * What one tenant's client may expect, written from the specification and its decisions and from nothing of the mock: label
 * sets are sets, files have three states, and everything else is as the seed has it.
 */
export class ReferenceModel {
  readonly #seed: TenantSeed;
  readonly #carried = new Map<string, Set<string>>();
  readonly #files = new Map<string, File>();

  constructor(seed: TenantSeed) {
    this.#seed = seed;
  }

  /** Scopes by hand from the table of decisions, not from the contract's generated form: two sources, one truth. */
  readonly #operations: Readonly<Record<OperationId, { scopes: readonly string[]; answer(step: Step): Expected }>> = {
    getHealth: { scopes: [], answer: () => ({ status: 200, body: { status: 'ok' } }) },
    listLabels: {
      scopes: [],
      answer: () => ({ status: 200, body: { labels: this.#public(this.#seed.labels.map(({ name }) => name)) } }),
    },
    getConversation: { scopes: ['conversation:read'], answer: (step) => this.#conversation(step) },
    getConversationContext: { scopes: ['conversation:read'], answer: (step) => this.#conversation(step) },
    applyConversationLabel: { scopes: ['conversation:write'], answer: (step) => this.#labelled(step) },
    removeConversationLabel: { scopes: ['conversation:write'], answer: (step) => this.#labelled(step) },
    applySiteLabel: { scopes: ['site:write'], answer: (step) => this.#labelled(step) },
    removeSiteLabel: { scopes: ['site:write'], answer: (step) => this.#labelled(step) },
    applyClientSiteLabel: { scopes: ['client:write', 'site:write'], answer: (step) => this.#labelled(step) },
    removeClientSiteLabel: { scopes: ['client:write', 'site:write'], answer: (step) => this.#labelled(step) },
    startSiteFileUpload: { scopes: ['siteFile:write'], answer: (step) => this.#start(step) },
    registerSiteFile: { scopes: ['siteFile:write'], answer: (step) => this.#register(step) },
    getSite: { scopes: ['site:read'], answer: ({ site }) => this.#site(site) },
    getClient: { scopes: ['client:read'], answer: ({ client }) => this.#client(client) },
  };

  /** What the step must be answered, the state having been changed as it asks. */
  answer(step: Step): Expected {
    if (step.operation === 'putFile') return this.#put(step);
    const key = this.#seed.keys.find(({ name }) => name === step.key);
    if (key === undefined || key.revoked) return forbidden;
    const { scopes, answer } = this.#operations[step.operation];
    return scopes.every((scope) => key.scopes.some((carried) => carried === scope)) ? answer(step) : forbidden;
  }

  /** An upload was started, and this is the fileKey that it was given. */
  started(fileKey: string, { site, contentType = '' }: Step): void {
    this.#files.set(fileKey, { site, contentType, size: null, registered: false });
  }

  #put({ fileKey, bytes }: Step): Expected {
    const file = this.#files.get(fileKey);
    if (file === undefined || file.registered) return { status: 403 };
    file.size = new TextEncoder().encode(bytes).length;
    return { status: 200 };
  }

  #start({ contentType, site }: Step): Expected {
    if (contentType === undefined || contentType === '') return badRequest;
    return this.#siteOf(site) === undefined ? notFound : { status: 201 };
  }

  #register({ fileKey, site }: Step): Expected {
    if (!isUuid(fileKey)) return badRequest;
    const file = this.#files.get(fileKey);
    if (file === undefined || file.site !== site) return notFound;
    if (file.registered) return conflict;
    if (file.size === null) return unprocessable;
    file.registered = true;
    return { status: 201, body: { fileKey, siteId: site, contentType: file.contentType, size: file.size } };
  }

  #labelled({ operation, conversation, site, client, label }: Step): Expected {
    const [, does, on] = /^(apply|remove)(Conversation|Site|ClientSite)Label$/.exec(operation) ?? [];
    if (!isUuid(label)) return badRequest;
    if (on === 'Conversation' && !isUuid(conversation)) return badRequest;
    if (on === 'ClientSite' && !client.startsWith('ovcid-')) return badRequest;
    const found = this.#holder(on ?? '', conversation, site, client);
    const known = this.#seed.labels.find(({ id, visibility }) => id === label && visibility === 'public');
    if (found === undefined || known === undefined) return notFound;
    const carried = this.#namesOn(found.name, found.seeded);
    if (does === 'apply') carried.add(known.name);
    else carried.delete(known.name);
    return { status: 200, body: { ...found.ids, labels: this.#public(carried) } };
  }

  #holder(on: string, conversation: string, site: string, client: string) {
    if (on === 'Conversation') {
      const found = this.#seed.conversations.find(({ id }) => id === conversation);
      return found && { name: `conversation ${found.id}`, seeded: found.labels, ids: { conversationId: found.id } };
    }
    const found = this.#siteOf(site);
    if (on === 'Site') return found && { name: `site ${site}`, seeded: found.labels, ids: { siteId: site } };
    const link = found?.clients?.find((candidate) => candidate.client === client);
    return link && { name: `link ${client} ${site}`, seeded: link.labels, ids: { clientId: client, siteId: site } };
  }

  #namesOn(holder: string, seeded: readonly string[] = []): Set<string> {
    const carried = this.#carried.get(holder) ?? new Set(seeded);
    this.#carried.set(holder, carried);
    return carried;
  }

  /** The public ones of these labels as replies list them: by name, then id. */
  #public(names: Iterable<string>) {
    const wanted = new Set(names);
    return this.#seed.labels
      .filter(({ name, visibility }) => visibility === 'public' && wanted.has(name))
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => (`${a.name}\0${a.id}` < `${b.name}\0${b.id}` ? -1 : 1));
  }

  #siteOf(id: string) {
    return this.#seed.sites.find((site) => site.id === id);
  }

  #conversation({ operation, conversation }: Step): Expected {
    if (!isUuid(conversation)) return badRequest;
    const found = this.#seed.conversations.find(({ id }) => id === conversation);
    if (found === undefined) return notFound;
    const { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt, messages, requester } = found;
    if (operation === 'getConversation') {
      return { status: 200, body: { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt } };
    }
    const { agents = [], clients = [] } = found.participants ?? {};
    const carried = this.#namesOn(`conversation ${id}`, found.labels);
    const body = {
      ...{ subject, status, type, urgency, requester, messages: messages ?? [] },
      labels: this.#public(carried).map(({ name }) => name),
      participants: {
        agents: agents.map((agent) => this.#seed.users.find((user) => user.id === agent)?.name),
        clients: clients.map((client) => ({ name: this.#seed.clients.find((known) => known.id === client)?.name })),
      },
      sites: (found.sites ?? []).map((site) => ({ id: site })),
    };
    return { status: 200, body };
  }

  #site(id: string): Expected {
    const found = this.#siteOf(id);
    if (found === undefined) return notFound;
    const { labels: _, serviceLevel: __, clients = [], ...details } = found;
    const shown = clients.map(({ client, isPrimary = false }) => ({ id: client, isPrimary }));
    return { status: 200, body: { ...details, clients: shown } };
  }

  #client(id: string): Expected {
    if (!id.startsWith('ovcid-')) return badRequest;
    const found = this.#seed.clients.find((client) => client.id === id);
    if (found === undefined) return notFound;
    const { name, firstName, lastName, createdAt } = found;
    return { status: 200, body: { id, name, firstName, lastName, createdAt } };
  }
}
