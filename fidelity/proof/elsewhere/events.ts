import { type Choices, contentTypeIn, dueTimes, fileKeyIn, refuse, type Service, serving } from './base.ts';
import { contextOf, headOf, labelled, personOf, type Words } from './replies.ts';
import { type Home, type Label, linkKey, type Partner, type Person, partners, type Talk } from './world.ts';

interface Event {
  readonly kind: 'labelled' | 'unlabelled';
  readonly partner: string;
  readonly holder: string;
  readonly label: string;
}

const words: Words = {
  at: '2025-06-30T22:15:00.000Z',
  statuses: ['IN_PROGRESS', 'RESOLVED'],
  type: 'request',
  urgency: 'low',
  agents: [],
  message: (text) => ({
    role: 'CUSTOMER',
    rawBody: `<p>${text}</p>`,
    attachments: [{ type: 'photo', title: 'boiler.jpg', content: '', transcriptionId: '' }],
  }),
};

/**
 * State as a log of events that every reply folds anew, so that labels stand in the order in which they were put on. The route is looked up first,
 * then key, ids and records, and the scope last; ids have no form, so what is malformed is merely unknown.
 */
export function events(choices: Choices): Service {
  const log: Event[] = partners.flatMap(({ name: partner, carried, labels }) =>
    Object.entries(carried).flatMap(([holder, names]) =>
      names.map((one): Event => {
        const label = labels.find(({ name }) => name === one)?.id ?? '';
        return { kind: 'labelled', partner, holder, label };
      }),
    ),
  );

  const labelsOn = ({ name: partner, labels }: Partner, holder: string): Label[] => {
    const on = new Set<string>();
    for (const event of log) {
      if (event.partner !== partner || event.holder !== holder) continue;
      if (event.kind === 'labelled') on.add(event.label);
      else on.delete(event.label);
    }
    return [...on].flatMap((id) => labels.filter((label) => label.id === id && !label.isPrivate));
  };

  const talkOf = ({ talks }: Partner, id = '') => talks.find((one) => one.id === id) ?? refuse('record');
  const homeOf = ({ homes }: Partner, id = '') => homes.find((one) => one.id === id) ?? refuse('record');
  const clientOf = ({ people }: Partner, id = '') => people.find((one) => one.id === id) ?? refuse('record');
  const shown = (person: Person) => ({ ...personOf(person, words.at), marketingOptOut: false });
  const contextIn = (partner: Partner, talk: Talk, { street, city, ...home }: Home) => {
    const address = `${street}, ${city}`;
    const context = contextOf(talk, clientOf(partner, talk.person), { street, city, ...home }, words, { address });
    return { ...context, labels: labelsOn(partner, talk.id).map(({ name }) => name) };
  };

  return serving(choices, {
    order: ['route', 'rate', 'size', 'records', 'scope'],
    wait: dueTimes(),
    otherMethods: 'refused',
    /** The record is found, or refused, before anybody asks for the scope. */
    records({ partner, operation, params: { id, clientId, siteId } }) {
      if (operation === 'getClient') return clientOf(partner, id);
      if (operation.includes('ClientSite'))
        return partner.links.find(([one, home]) => one === clientId && home === siteId) ?? refuse('record');
      if (operation.includes('Conversation')) return talkOf(partner, id);
      return operation.includes('Site') && homeOf(partner, id);
    },
    answer(call) {
      const { partner, operation, params, request, files } = call;
      const { id = '', labelId = '', clientId = '', siteId = '' } = params;
      const ok = (body: unknown) => ({ status: 200, body });
      const [, act, kind] = /^(apply|remove)(\w+)Label$/.exec(operation) ?? [];
      if (act !== undefined) {
        const known = partner.labels.some((one) => one.id === labelId && !one.isPrivate);
        // Nothing is taken off that cannot be on, so nobody is told that it does not exist.
        if (!known && act === 'apply') refuse('label');
        const holder = kind === 'ClientSite' ? linkKey(clientId, siteId) : id;
        const event = { partner: partner.name, holder, label: labelId };
        if (known) log.push({ kind: act === 'apply' ? 'labelled' : 'unlabelled', ...event });
        const ids: Readonly<Record<string, Readonly<Record<string, string>>>> = {
          Conversation: { conversationId: id },
          Site: { siteId: id },
          ClientSite: { clientId, siteId },
        };
        return labelled(choices, ids[kind ?? ''] ?? {}, labelsOn(partner, holder));
      }
      switch (operation) {
        case 'getHealth':
          return ok({ status: 'ok' });
        case 'listLabels':
          return ok(choices.listed(partner.labels.filter(({ isPrivate }) => !isPrivate)));
        case 'getConversationContext':
          return ok(contextIn(partner, talkOf(partner, id), homeOf(partner, talkOf(partner, id).home)));
        case 'getConversation':
          return ok({ ...headOf(talkOf(partner, id), words), channel: 'mail' });
        case 'getSite': {
          const clients = partner.links.flatMap(([person, home], n) =>
            home === id ? [{ ...shown(clientOf(partner, person)), isPrimary: n === 0 }] : [],
          );
          return ok({ id, isMonitored: true, sla: 4, clients });
        }
        case 'getClient':
          return ok(shown(clientOf(partner, id)));
        case 'startSiteFileUpload':
          return files.start(partner.name, id, contentTypeIn(request), request.now);
        default:
          return files.register(call, id, fileKeyIn(request));
      }
    },
  });
}
