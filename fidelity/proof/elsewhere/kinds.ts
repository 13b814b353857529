/** Four kinds of deployments: each has words, quirks and an order of checks of its own. */
import { uuid } from '../../../spec/text/uuid.ts';
import { answersIn, findRecord, headOf, type Words } from './answers.ts';
import { type Call, type Kind, refuse } from './base.ts';

const kind = (words: Words, built: Omit<Kind, 'answers'>): Kind => ({
  ...built,
  answers: (choices) => answersIn(words, choices),
});

function checkIds({ operation, params: { id = '', labelId } }: Call): void {
  if (labelId !== undefined && !uuid.test(labelId)) refuse('id');
  if (operation.includes('Conversation') && !uuid.test(id)) refuse('id');
}

const inTables: Words = {
  at: '2026-01-01T08:00:00Z',
  statuses: ['open', 'closed'],
  type: 'request',
  urgency: 'normal',
  agents: ['Desk'],
  message: (_, n) => (n % 2 === 0 ? { role: 'client' } : { role: 'agent', author: 'Desk' }),
  client: ({ emails = [], phoneNumbers = [] }) => ({ emails, phoneNumbers }),
  site: ({ address1, city }) => ({ address1, city, createdAt: inTables.at }),
  place: ({ id }, of, { conversations }) => ({
    associatedConversations: conversations
      .filter((other) => other.sites?.includes(id) && other !== of)
      .map((other) => {
        const { friendlyId, subject, status } = headOf(other, inTables);
        const texts = { issue: subject, resolution: '', shortSummary: subject };
        return { friendlyId, subject, status, statusLastUpdatedAt: inTables.at, ...texts };
      }),
  }),
  isPrimary: (n) => n === 0,
  anyCase: true,
};

/** As over tables of a database: ids are the same in capitals. */
export const tables = kind(inTables, {
  order: ['rate', 'size', 'route', 'scope', 'records'],
  otherMethods: 'named',
  records(call) {
    checkIds(call);
    const { operation, params } = call;
    const person = operation === 'getClient' ? params.id : (params.clientId ?? 'ovcid-');
    if (!person?.startsWith('ovcid-')) refuse('id');
  },
});

const inEvents: Words = {
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
  head: { channel: 'mail' },
  client: () => ({ marketingOptOut: false }),
  site: () => ({ isMonitored: true, sla: 4 }),
  place: ({ address1, city }) => ({ address: `${address1}, ${city}` }),
  isPrimary: (n) => n === 0,
  labelsAsApplied: true,
  removesUnknown: true,
};

/**
 * As over a log of events: labels stand in the order in which they were put on. The record is found, or refused, before anybody asks for the scope;
 * ids have no form, so what is malformed is merely unknown.
 */
export const events = kind(inEvents, {
  order: ['route', 'rate', 'size', 'records', 'scope'],
  otherMethods: 'refused',
  records: findRecord,
});

const inDocuments: Words = {
  at: '2026-02-03T04:05:06+00:00',
  statuses: ['waiting', 'done'],
  type: 'ticket',
  urgency: '2',
  agents: ['Robin'],
  message: () => ({ role: 'customer' }),
  client: ({ phoneNumbers = [] }) => ({
    updatedAt: inDocuments.at,
    phoneNumbers: phoneNumbers.map((one) => ({ ext: 0, ...one })),
  }),
  site: ({ address1, city, state, zip }) => ({
    ...{ address1, city, state, zip },
    ...{ createdAt: inDocuments.at, updatedAt: inDocuments.at },
  }),
  isPrimary: () => true,
  listsLabelsBackwards: true,
  anyCase: true,
  uuidKeys: true,
  registration: { again: 'the same' },
};

/** A gateway that knows keys and limits in front of a service that knows the rest. To register a file again answers as the first time. */
export const documents = kind(inDocuments, {
  order: ['rate', 'size', 'route', 'scope', 'records'],
  burst: 30,
  // The framework of this one knows no other answer than 404 for what is not routed.
  otherMethods: 'unknown',
  records: checkIds,
});

const inGraph: Words = {
  at: '2025-12-24T18:00:00Z',
  statuses: ['open', 'closed'],
  type: 'case',
  urgency: 'high',
  agents: ['Sam'],
  message: (_, n) => (n === 0 ? { role: 'end-user' } : { role: 'agent', author: 'Sam', isInternal: true }),
  client: () => ({ partnerName: null, emails: [], phoneNumbers: [] }),
  site: ({ address1, city }) => ({
    ...{ address1, address2: null, city, businessName: '' },
    ...{ createdAt: inGraph.at, updatedAt: inGraph.at, sla: 2.5 },
  }),
  isPrimary: () => false,
  siteFirst: true,
  uuidKeys: true,
  registration: { name: null },
};

/** As over a graph: scopes are checked after ids, and records last. */
export const graph = kind(inGraph, {
  order: ['rate', 'route', 'size', 'records', 'scope'],
  otherMethods: 'refused',
  records: checkIds,
});
