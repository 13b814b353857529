import {
  buckets,
  type Choices,
  contentTypeIn,
  type Inbound,
  isTooLarge,
  isUuid,
  jsonIn,
  type Outbound,
  type Route,
  refusalOf,
  refuse,
  routed,
  type Service,
  store,
  throttledBy,
} from './base.ts';
import { linkKey, partners } from './world.ts';

/** State as rows of tables that are filtered and joined, as SQL would. Key, rate, size, route, scope, ids, records: in this order. */
export function tables(choices: Choices): Service {
  const at = '2026-01-01T08:00:00Z';
  const rows = {
    keys: partners.flatMap(({ name, keys }) => keys.map((key) => ({ ...key, partner: name }))),
    labels: partners.flatMap(({ name, labels }) => labels.map((label) => ({ ...label, partner: name }))),
    talks: partners.flatMap(({ name, talks }) => talks.map((talk) => ({ ...talk, partner: name }))),
    homes: partners.flatMap(({ name, homes }) => homes.map((home) => ({ ...home, partner: name }))),
    people: partners.flatMap(({ name, people }) => people.map((person) => ({ ...person, partner: name }))),
    links: partners.flatMap(({ name, links }) => links.map(([person, home]) => ({ person, home, partner: name }))),
    carried: partners.flatMap(({ name, carried, labels }) =>
      Object.entries(carried).flatMap(([holder, names]) =>
        names.map((one) => ({ partner: name, holder, label: labels.find((label) => label.name === one)?.id ?? '' })),
      ),
    ),
    files: [] as { fileKey: string; partner: string; site: string; contentType: string; registered: boolean }[],
  };
  const wait = buckets();
  const files = store(choices.stored);

  const labelsOn = (partner: string, holder: string) =>
    rows.labels
      .filter((label) => label.partner === partner && !label.isPrivate)
      .filter(({ id }) =>
        rows.carried.some((row) => row.partner === partner && row.holder === holder && row.label === id),
      )
      .sort((a, b) => a.name.localeCompare(b.name));

  const write = (partner: string, holder: string, labelId: string, isApply: boolean) => {
    const label =
      rows.labels.find((one) => one.partner === partner && one.id === labelId.toLowerCase() && !one.isPrivate) ??
      refuse('label');
    const others = rows.carried.filter(
      (row) => !(row.partner === partner && row.holder === holder && row.label === label.id),
    );
    rows.carried = isApply ? [...others, { partner, holder, label: label.id }] : others;
    return labelsOn(partner, holder);
  };

  const clientOf = ({ id, first, last, phone, mail }: (typeof rows.people)[number]) => ({
    id,
    name: `${first} ${last}`,
    firstName: first,
    lastName: last,
    createdAt: at,
    emails: [{ id: `e0${id.slice(8)}`, value: mail, isPrimary: true }],
    phoneNumbers: [{ id: `f0${id.slice(8)}`, value: phone, isPrimary: true }],
  });

  const run = ({ operation, params }: Route, partner: string, request: Inbound): Outbound => {
    const { id = '', labelId = '', clientId = '', siteId = '' } = params;
    const talk = () =>
      rows.talks.find((row) => row.partner === partner && row.id === id.toLowerCase()) ?? refuse('record');
    const home = (one = id) => rows.homes.find((row) => row.partner === partner && row.id === one) ?? refuse('record');
    const person = (one = id) =>
      rows.people.find((row) => row.partner === partner && row.id === one) ?? refuse('record');
    const isApply = operation.startsWith('apply');
    switch (operation) {
      case 'getHealth':
        return { status: 200, body: { status: 'ok' } };
      case 'listLabels':
        return {
          status: 200,
          body: choices.listed(rows.labels.filter((row) => row.partner === partner && !row.isPrivate)),
        };
      case 'getConversation': {
        const { id: own, number, subject, isClosed } = talk();
        const status = isClosed ? 'closed' : 'open';
        return {
          status: 200,
          body: {
            id: own,
            friendlyId: number,
            subject,
            status,
            type: 'request',
            urgency: 'normal',
            createdAt: at,
            updatedAt: at,
          },
        };
      }
      case 'getConversationContext': {
        const found = talk();
        const [caller, place] = [person(found.person), home(found.home)];
        const associatedConversations = rows.talks
          .filter((row) => row.home === place.id && row.id !== found.id)
          .map(({ number, subject, isClosed }) => ({
            friendlyId: number,
            subject,
            status: isClosed ? 'closed' : 'open',
            statusLastUpdatedAt: at,
            issue: subject,
            resolution: '',
            shortSummary: subject,
          }));
        return {
          status: 200,
          body: {
            subject: found.subject,
            messages: found.said.map((text, n) => ({
              author: n % 2 === 0 ? `${caller.first} ${caller.last}` : 'Desk',
              role: n % 2 === 0 ? 'client' : 'agent',
              createdAt: at,
              text,
              isInternal: false,
              rawBody: text,
              attachments: [],
            })),
            status: found.isClosed ? 'closed' : 'open',
            type: 'request',
            urgency: 'normal',
            labels: labelsOn(partner, found.id).map(({ name }) => name),
            requester: `${caller.first} ${caller.last}`,
            participants: {
              agents: ['Desk'],
              clients: [
                { name: `${caller.first} ${caller.last}`, primaryPhoneNumber: caller.phone, primaryEmail: caller.mail },
              ],
            },
            sites: [{ address: place.street, serviceLevel: place.level, id: place.id, associatedConversations }],
          },
        };
      }
      case 'applyConversationLabel':
      case 'removeConversationLabel': {
        const { id: conversationId } = talk();
        return {
          status: 200,
          body: choices.carried(write(partner, conversationId, labelId, isApply), { conversationId }),
        };
      }
      case 'applySiteLabel':
      case 'removeSiteLabel': {
        const labels = write(partner, home().id, labelId, isApply);
        return {
          status: 200,
          body: { siteId: id, labels: labels.map(choices.item) },
        };
      }
      case 'applyClientSiteLabel':
      case 'removeClientSiteLabel': {
        rows.links.find((row) => row.partner === partner && row.person === clientId && row.home === siteId) ??
          refuse('record');
        const labels = write(partner, linkKey(clientId, siteId), labelId, isApply);
        return { status: 200, body: choices.carried(labels, { clientId, siteId }) };
      }
      case 'getSite': {
        const { id: own, street, city } = home();
        const clients = rows.links
          .filter((row) => row.partner === partner && row.home === own)
          .map((row, n) => ({ ...clientOf(person(row.person)), isPrimary: n === 0 }));
        return { status: 200, body: { id: own, address1: street, city, createdAt: at, clients } };
      }
      case 'getClient':
        return { status: 200, body: clientOf(person()) };
      case 'startSiteFileUpload': {
        const contentType = contentTypeIn(request);
        const site = home().id;
        const issued = files.issue(contentType, request.now);
        rows.files.push({ fileKey: issued.fileKey, partner, site, contentType, registered: false });
        return { status: 201, body: issued };
      }
      default: {
        const { fileKey } = jsonIn(request);
        if (typeof fileKey !== 'string') return refuse('content');
        const site = home().id;
        const file =
          rows.files.find((row) => row.fileKey === fileKey && row.partner === partner && row.site === site) ??
          refuse('record');
        const size = files.sizeOf(fileKey) ?? refuse('early');
        if (file.registered) refuse('twice');
        file.registered = true;
        const { contentType } = file;
        return {
          status: choices.registered,
          body: { fileKey, siteId: site, contentType, size, createdAt: new Date(request.now).toISOString() },
        };
      }
    }
  };

  return (request) => {
    const { url, headers, method, now } = request;
    if (url.host.startsWith('store.')) return files.put(request);
    const key = rows.keys.find(({ secret }) => secret === headers['x-api-key']);
    if (key === undefined || key.revoked) return refusalOf(choices, 'key');
    const early = wait(key.secret, now);
    if (early > 0) return throttledBy(choices, early);
    if (isTooLarge(request)) refuse('large');
    const route = routed(choices, method, url.pathname);
    if (!('operation' in route))
      return route.length === 0
        ? refuse('path')
        : { ...refusalOf(choices, 'method'), headers: { allow: route.join(', ') } };
    if (!route.scopes.every((scope) => key.scopes.includes(scope))) refuse('scope');
    const { id = '', labelId, clientId } = route.params;
    const isTalk = route.operation.includes('Conversation');
    const isPerson = route.operation === 'getClient' ? id : (clientId ?? 'ovcid-');
    if ((isTalk && !isUuid(id)) || (labelId !== undefined && !isUuid(labelId)) || !isPerson.startsWith('ovcid-'))
      refuse('id');
    return run(route, key.partner, request);
  };
}
