import { strictObject, z } from 'zod';
import { meantVariable, replaced } from '../../spec/files/environment.ts';
import { listOf } from '../../spec/files/list-of.ts';
import { scope } from '../../spec/files/operation-override.ts';
import { optionalFields } from '../../spec/files/optional-fields.ts';

/**
 * The seed of a tenant, as in a fixture file (`fixtures/*.yaml`) and for `defineTenant()`. Records refer to labels by name, and to
 * everything else by id. Fields that the contract does not require are optional.
 */

const text = z.string();
const uuid = z.guid('not a UUID').toLowerCase();
const dateTime = z.iso.datetime({ offset: true, error: 'not a date and time such as 2026-11-03T09:30:00Z' });
const siteId = z
  .string()
  .min(1, 'a site id has at least one character')
  // A snapshot would lose it, because objects cannot have a property with this name.
  .refine((id) => id !== '__proto__', 'no site id can be "__proto__"');
const clientId = z.string().regex(/^ovcid-.*$/, 'a client id starts with "ovcid-"');

export const keySeed = strictObject({
  name: z.string().min(1).describe('The name of the key in the mock, reports and tests; unique in its tenant.'),
  /** A header carries the secret. Other characters would be trimmed or refused on the way. */
  secret: z
    .string()
    .min(16, 'a secret has at least 16 characters')
    .regex(/^[\x21-\x7e]*$/, 'a secret is visible ASCII without blanks, because it travels in a header')
    .refine((text) => !replaced.test(text) && meantVariable(text) === undefined, {
      error: 'looks like a variable, and fixture files take none: invent a secret, which is no secret',
    })
    .describe('The x-api-key value. Invent one: it is printed and committed.'),
  scopes: listOf(scope).describe('What the key may do.'),
  rateLimit: strictObject({
    perSecond: z.number().positive().describe('Requests per second that the key sustains.'),
    burst: z.number().int().positive().describe('Requests on top of the rate.'),
  })
    .describe('The limits of the key; without it, 10 per second and 20.')
    .optional(),
  revoked: z.boolean().describe('Whether the key is revoked, so that it no longer authenticates.').optional(),
});

export const userSeed = strictObject({
  id: uuid,
  name: z.string().min(1),
  email: text.optional(),
  role: text.optional(),
});

export const labelSeed = strictObject({
  id: uuid,
  name: z.string().min(1),
  visibility: z.enum(['public', 'private']).describe('No reply shows private labels.'),
});

const labelNames = listOf(text).describe('Labels by name, public or private.');
const contact = { id: uuid, value: text, label: text.optional(), isPrimary: z.boolean().optional() };

export const clientSeed = strictObject({
  id: clientId,
  name: text,
  firstName: text,
  lastName: text,
  createdAt: dateTime,
  updatedAt: dateTime.optional(),
  partnerName: text.optional(),
  marketingOptOut: z.boolean().optional(),
  emails: listOf(strictObject(contact)).optional(),
  phoneNumbers: listOf(strictObject({ ...contact, ext: z.number().optional() })).optional(),
});

/** A client-site link, listed under its site. At most one link of a site is primary. */
const linkSeed = strictObject({
  client: clientId,
  isPrimary: z.boolean().optional(),
  labels: labelNames.describe('Labels of the link, by name.').optional(),
});

export const siteSeed = strictObject({
  id: siteId,
  address1: text.optional(),
  address2: text.optional(),
  city: text.optional(),
  state: text.optional(),
  zip: text.optional(),
  businessName: text.optional(),
  brandId: text.optional(),
  serviceLevel: text.optional(),
  sla: z.number().optional(),
  isMonitored: z.boolean().optional(),
  createdAt: dateTime.optional(),
  updatedAt: dateTime.optional(),
  labels: labelNames.optional(),
  clients: listOf(linkSeed).describe('Clients of this site; each entry is a link with labels of its own.').optional(),
});

const messageSeed = optionalFields({
  author: text,
  role: text,
  createdAt: text,
  text: text,
  isInternal: z.boolean(),
  rawBody: text,
  attachments: listOf(
    optionalFields({
      type: text,
      title: text,
      content: text,
      transcriptionId: text,
    }),
  ),
});

export const conversationSeed = strictObject({
  id: uuid,
  friendlyId: text.optional(),
  subject: text.optional(),
  status: text.optional(),
  statusLastUpdatedAt: dateTime.optional(),
  type: text.optional(),
  urgency: text.optional(),
  createdAt: dateTime.optional(),
  updatedAt: dateTime.optional(),
  requester: text.optional(),
  issue: text.optional(),
  resolution: text.optional(),
  shortSummary: text.optional(),
  messages: listOf(messageSeed).optional(),
  participants: optionalFields({
    agents: listOf(uuid).describe('Ids of users.'),
    clients: listOf(clientId).describe('Ids of clients.'),
  }).optional(),
  sites: listOf(siteId).describe('Ids of sites.').optional(),
  labels: labelNames.optional(),
});

export const tenantSeed = strictObject({
  tenant: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'a tenant is named in lower-case letters, digits and hyphens')
    .describe('The name of the tenant, in lower-case letters, digits and hyphens.'),
  description: text.describe('For people.').optional(),
  keys: listOf(keySeed).describe('API keys.'),
  users: listOf(userSeed).default([]).describe('People of the tenant, who take part in conversations.'),
  labels: listOf(labelSeed).default([]).describe('Labels; other records refer to them by name.'),
  clients: listOf(clientSeed).default([]).describe('Clients of the tenant.'),
  sites: listOf(siteSeed).default([]).describe('Places, with links to clients.'),
  conversations: listOf(conversationSeed).default([]).describe('Conversations, with messages and participants.'),
});

/** A fixture file: a tenant, and a field for editors. Types and JSON Schema are derived from this schema. */
export const tenantFile = tenantSeed.extend({ $schema: text.describe('For editors.').optional() });

export type KeySeed = z.infer<typeof keySeed>;

/** A label, private ones too. */
export type LabelSeed = z.infer<typeof labelSeed>;
export type ClientSeed = z.infer<typeof clientSeed>;
export type SiteSeed = z.infer<typeof siteSeed>;
export type ConversationSeed = z.infer<typeof conversationSeed>;
/** A checked tenant, as `createMock` takes it. */
export type TenantSeed = z.infer<typeof tenantSeed>;
