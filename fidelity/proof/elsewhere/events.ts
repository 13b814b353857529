import {
  type Choices,
  contentTypeIn,
  dueTimes,
  type Inbound,
  isTooLarge,
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

type Event =
  | {
      readonly kind: 'labelled' | 'unlabelled';
      readonly partner: string;
      readonly holder: string;
      readonly label: string;
    }
  | {
      readonly kind: 'issued';
      readonly partner: string;
      readonly site: string;
      readonly fileKey: string;
      readonly type: string;
    }
  | { readonly kind: 'registered'; readonly fileKey: string };

/**
 * State as a log of events that every reply folds anew, so that labels stand in the order in which they were put on. The route is looked up first,
 * then key, ids and records, and the scope last; ids have no form, so what is malformed is merely unknown.
 */
export function events(choices: Choices): Service {
  const since = '2025-06-30T22:15:00.000Z';
  const log: Event[] = partners.flatMap(({ name: partner, carried, labels }) =>
    Object.entries(carried).flatMap(([holder, names]) =>
      names.map((one): Event => {
        const label = labels.find(({ name }) => name === one)?.id ?? '';
        return { kind: 'labelled', partner, holder, label };
      }),
    ),
  );
  const due = dueTimes();
  const files = store(choices.stored);

  const labelsOn = ({ name: partner, labels }: Partner, holder: string): Label[] => {
    const on = new Set<string>();
    for (const event of log) {
      if (!('holder' in event) || event.partner !== partner || event.holder !== holder) continue;
      if (event.kind === 'labelled') on.add(event.label);
      else on.delete(event.label);
    }
    return [...on].flatMap((id) => labels.filter((label) => label.id === id && !label.isPrivate));
  };

  /** What a path leads to: the record is found, or refused, before anybody asks for the scope. */
  const found = (partner: Partner, operation: string, params: Readonly<Record<string, string>>) => {
    const { id = '', clientId = '', siteId = '' } = params;
    if (operation === 'getClient') return partner.people.find((one) => one.id === id) ?? refuse('record');
    if (operation.includes('ClientSite'))
      return partner.links.find(([one, home]) => one === clientId && home === siteId) ?? refuse('record');
    if (operation.includes('Conversation')) return partner.talks.find((one) => one.id === id) ?? refuse('record');
    if (operation.includes('Site')) return partner.homes.find((one) => one.id === id) ?? refuse('record');
    return null;
  };

  const contextOf = (partner: Partner, id: string) => {
    const talk = partner.talks.find((one) => one.id === id) ?? refuse('record');
    const person = partner.people.find((one) => one.id === talk.person);
    const home = partner.homes.find((one) => one.id === talk.home);
    const name = `${person?.first} ${person?.last}`;
    return {
      type: 'request',
      subject: talk.subject,
      status: talk.isClosed ? 'RESOLVED' : 'IN_PROGRESS',
      urgency: 'low',
      requester: name,
      labels: labelsOn(partner, id).map((label) => label.name),
      participants: { agents: [], clients: [{ name, primaryPhoneNumber: person?.phone, primaryEmail: person?.mail }] },
      messages: talk.said.map((text) => ({
        author: name,
        role: 'CUSTOMER',
        createdAt: since,
        text,
        isInternal: false,
        rawBody: `<p>${text}</p>`,
        attachments: [{ type: 'photo', title: 'boiler.jpg', content: '', transcriptionId: '' }],
      })),
      sites: [
        {
          id: home?.id,
          address: `${home?.street}, ${home?.city}`,
          serviceLevel: home?.level,
          associatedConversations: [],
        },
      ],
    };
  };

  const personOf = (partner: Partner, id: string) => {
    const { first, last } = partner.people.find((one) => one.id === id) ?? refuse('record');
    return { id, name: `${first} ${last}`, firstName: first, lastName: last, createdAt: since, marketingOptOut: false };
  };

  const answer = (
    partner: Partner,
    operation: string,
    params: Readonly<Record<string, string>>,
    request: Inbound,
  ): Outbound => {
    const { id = '', labelId = '', clientId = '', siteId = '' } = params;
    const ok = (body: unknown, status = 200): Outbound => ({ status, body });
    const label = /^(apply|remove)(\w+)Label$/.exec(operation);
    if (label !== null) {
      const known = partner.labels.some((one) => one.id === labelId && !one.isPrivate);
      // Nothing is taken off that cannot be on, so nobody is told that it does not exist.
      if (!known && label[1] === 'apply') refuse('label');
      const isLink = label[2] === 'ClientSite';
      const holder = isLink ? linkKey(clientId, siteId) : id;
      if (known)
        log.push({
          kind: label[1] === 'apply' ? 'labelled' : 'unlabelled',
          partner: partner.name,
          holder,
          label: labelId,
        });
      const labels = labelsOn(partner, holder);
      if (label[2] === 'Site') return ok({ siteId: id, labels: labels.map(choices.item) });
      return ok(choices.carried(labels, isLink ? { clientId, siteId } : { conversationId: id }));
    }
    switch (operation) {
      case 'getHealth':
        return ok({ status: 'ok' });
      case 'listLabels':
        return ok(choices.listed(partner.labels.filter(({ isPrivate }) => !isPrivate)));
      case 'getConversationContext':
        return ok(contextOf(partner, id));
      case 'getConversation': {
        const { number, subject, isClosed } = partner.talks.find((one) => one.id === id) ?? refuse('record');
        return ok({
          id,
          friendlyId: number,
          subject,
          status: isClosed ? 'RESOLVED' : 'IN_PROGRESS',
          type: 'request',
          urgency: 'low',
          createdAt: since,
          updatedAt: since,
          channel: 'mail',
        });
      }
      case 'getSite': {
        const clients = partner.links.flatMap(([person, home], n) =>
          home === id ? [{ ...personOf(partner, person), isPrimary: n === 0 }] : [],
        );
        return ok({ id, isMonitored: true, sla: 4, clients });
      }
      case 'getClient':
        return ok(personOf(partner, id));
      case 'startSiteFileUpload': {
        const type = contentTypeIn(request);
        const issued = files.issue(type, request.now);
        log.push({ kind: 'issued', partner: partner.name, site: id, fileKey: issued.fileKey, type });
        return ok(issued, 201);
      }
      default: {
        const { fileKey } = jsonIn(request);
        if (typeof fileKey !== 'string') refuse('content');
        const issued = log.find((event) => event.kind === 'issued' && event.fileKey === fileKey);
        if (issued?.kind !== 'issued' || issued.partner !== partner.name || issued.site !== id) return refuse('record');
        const size = files.sizeOf(issued.fileKey) ?? refuse('early');
        const isTwice = log.some((event) => event.kind === 'registered' && event.fileKey === fileKey);
        if (isTwice) refuse('twice');
        log.push({ kind: 'registered', fileKey: issued.fileKey });
        return ok(
          { fileKey, siteId: id, contentType: issued.type, size, createdAt: new Date(request.now).toISOString() },
          choices.registered,
        );
      }
    }
  };

  return (request) => {
    const { url, method, headers, now } = request;
    if (url.host.startsWith('store.')) return files.put(request);
    const route = routed(choices, method, url.pathname);
    const secret = headers['x-api-key'] ?? '';
    const partner = partners.find(({ keys }) => keys.some((key) => key.secret === secret && !key.revoked));
    const key = partner?.keys.find((one) => one.secret === secret);
    if (partner === undefined || key === undefined) return refusalOf(choices, 'key');
    if (!('operation' in route)) return refusalOf(choices, route.length === 0 ? 'path' : 'method');
    const early = due(secret, now);
    if (early > 0) return throttledBy(choices, early);
    if (isTooLarge(request)) refuse('large');
    found(partner, route.operation, route.params);
    if (route.scopes.some((scope) => !key.scopes.includes(scope))) refuse('scope');
    return answer(partner, route.operation, route.params, request);
  };
}
