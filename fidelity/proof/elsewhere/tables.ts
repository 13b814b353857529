import {
  buckets,
  type Call,
  type Choices,
  contentTypeIn,
  fileKeyIn,
  isUuid,
  refuse,
  type Service,
  serving,
} from './base.ts';
import { contextOf, headOf, labelled, personOf, type Words } from './replies.ts';
import { linkKey, partners } from './world.ts';

const words: Words = {
  at: '2026-01-01T08:00:00Z',
  statuses: ['open', 'closed'],
  type: 'request',
  urgency: 'normal',
  agents: ['Desk'],
  message: (_, n) => (n % 2 === 0 ? { role: 'client' } : { role: 'agent', author: 'Desk' }),
};

/** State as rows of tables that are filtered and joined, as SQL would. */
export function tables(choices: Choices): Service {
  const rows = {
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
  };

  const labelsOn = (partner: string, holder: string) =>
    rows.labels
      .filter((label) => label.partner === partner && !label.isPrivate)
      .filter(({ id }) =>
        rows.carried.some((row) => row.partner === partner && row.holder === holder && row.label === id),
      )
      .sort((a, b) => a.name.localeCompare(b.name));

  const clientOf = (person: (typeof rows.people)[number]) => ({
    ...personOf(person, words.at),
    emails: [{ id: `e0${person.id.slice(8)}`, value: person.mail, isPrimary: true }],
    phoneNumbers: [{ id: `f0${person.id.slice(8)}`, value: person.phone, isPrimary: true }],
  });

  const answer = (call: Call) => {
    const { operation, params, request, files } = call;
    const { name: partner } = call.partner;
    const { id = '', labelId = '', clientId = '', siteId = '' } = params;
    const ok = (body: unknown) => ({ status: 200, body });
    const talk = () =>
      rows.talks.find((row) => row.partner === partner && row.id === id.toLowerCase()) ?? refuse('record');
    const home = (one = id) => rows.homes.find((row) => row.partner === partner && row.id === one) ?? refuse('record');
    const person = (one = id) =>
      rows.people.find((row) => row.partner === partner && row.id === one) ?? refuse('record');
    const write = (holder: string, ids: Readonly<Record<string, string>>) => {
      const label =
        rows.labels.find((one) => one.partner === partner && one.id === labelId.toLowerCase() && !one.isPrivate) ??
        refuse('label');
      const others = rows.carried.filter(
        (row) => !(row.partner === partner && row.holder === holder && row.label === label.id),
      );
      rows.carried = operation.startsWith('apply') ? [...others, { partner, holder, label: label.id }] : others;
      return labelled(choices, ids, labelsOn(partner, holder));
    };
    switch (operation) {
      case 'getHealth':
        return ok({ status: 'ok' });
      case 'listLabels':
        return ok(choices.listed(rows.labels.filter((row) => row.partner === partner && !row.isPrivate)));
      case 'getConversation':
        return ok(headOf(talk(), words));
      case 'getConversationContext': {
        const found = talk();
        const place = home(found.home);
        const associatedConversations = rows.talks
          .filter((row) => row.home === place.id && row.id !== found.id)
          .map((row) => {
            const { friendlyId, subject, status } = headOf(row, words);
            const texts = { issue: subject, resolution: '', shortSummary: subject };
            return { friendlyId, subject, status, statusLastUpdatedAt: words.at, ...texts };
          });
        const labels = labelsOn(partner, found.id).map(({ name }) => name);
        return ok({ ...contextOf(found, person(found.person), place, words, { associatedConversations }), labels });
      }
      case 'applyConversationLabel':
      case 'removeConversationLabel':
        return write(talk().id, { conversationId: talk().id });
      case 'applySiteLabel':
      case 'removeSiteLabel':
        return write(home().id, { siteId: id });
      case 'applyClientSiteLabel':
      case 'removeClientSiteLabel':
        if (!rows.links.some((row) => row.partner === partner && row.person === clientId && row.home === siteId))
          refuse('record');
        return write(linkKey(clientId, siteId), { clientId, siteId });
      case 'getSite': {
        const { id: own, street, city } = home();
        const clients = rows.links
          .filter((row) => row.partner === partner && row.home === own)
          .map((row, n) => ({ ...clientOf(person(row.person)), isPrimary: n === 0 }));
        return ok({ id: own, address1: street, city, createdAt: words.at, clients });
      }
      case 'getClient':
        return ok(clientOf(person()));
      case 'startSiteFileUpload': {
        const contentType = contentTypeIn(request);
        return files.start(partner, home().id, contentType, request.now);
      }
      default: {
        const fileKey = fileKeyIn(request);
        return files.register(call, home().id, fileKey);
      }
    }
  };

  return serving(choices, {
    order: ['rate', 'size', 'route', 'scope', 'records'],
    wait: buckets(),
    otherMethods: 'named',
    records({ operation, params: { id = '', labelId, clientId } }) {
      const isTalk = operation.includes('Conversation');
      const person = operation === 'getClient' ? id : (clientId ?? 'ovcid-');
      if ((isTalk && !isUuid(id)) || (labelId !== undefined && !isUuid(labelId)) || !person.startsWith('ovcid-'))
        refuse('id');
    },
    answer,
  });
}
