import type { operations as api } from '../spec/generated/api.ts';
import type { OperationId } from '../spec/operations.ts';
import { type RefusalCase, refuse } from './refusal.ts';
import type { ClientSeed, ConversationSeed, LabelSeed, SiteSeed } from './seed/schema.ts';
import { clientDetails, contextOf, siteDetails } from './store/record-bodies.ts';
import type { ClientSiteLink, LabelHolder } from './store/records.ts';
import type { Tenant } from './store/tenant.ts';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

/** Request body of an operation, as validated against the contract. */
type RequestBody<Id extends OperationId> = api[Id] extends { requestBody: infer Body } ? Json<Body> : undefined;

/** What an operation answers when it succeeds. */
type SuccessBody<Id extends OperationId> = api[Id] extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;

/** The record that an operation is about, which its name says. */
type RecordOf<Id extends OperationId> = Id extends `${string}Conversation${string}`
  ? ConversationSeed
  : Id extends `${string}ClientSite${string}`
    ? ClientSiteLink
    : Id extends `${string}Site${string}`
      ? SiteSeed
      : Id extends `${string}Client`
        ? ClientSeed
        : null;

/** One request that passed all checks before the operation. */
export interface Call<Id extends OperationId> {
  tenant: Tenant;
  record: RecordOf<Id>;
  /** The label in the path. Undefined if the profile permits to remove one that cannot be on. */
  label: LabelSeed | undefined;
  body: RequestBody<Id>;
  /** When it came, or its body had come, in milliseconds since the epoch. */
  now: number;
  /**
   * Whether the profile permits what is usually refused. The reply then has the status that the profile gives for it.
   * @param sought the ids that were not found
   */
  permits(refusalCase: RefusalCase, ...sought: readonly string[]): boolean;
  /** The upload URL of a file and when it expires, in ms since the epoch. */
  presign(file: { fileKey: string; contentType: string }): { url: string; expiresAt: number };
}

/** Changes a label of the record, and shows the record by its ids, with its labels. */
const labelling =
  <Holder extends LabelHolder, Ids>(change: 'applyLabel' | 'removeLabel', idsOf: (record: Holder) => Ids) =>
  ({ tenant, record, label }: Pick<Call<OperationId>, 'tenant' | 'label'> & { readonly record: Holder }) => {
    if (label !== undefined) tenant[change](record, label);
    return () => ({ ...idsOf(record), labels: tenant.publicLabelsOf(record) });
  };
const ofConversation = ({ id }: ConversationSeed) => ({ conversationId: id });
const ofSite = ({ id }: SiteSeed) => ({ siteId: id });
const ofLink = ({ client, site }: ClientSiteLink) => ({ clientId: client, siteId: site });

/**
 * What each operation does, and the body of its reply; the contract has status, method, path, scopes and schemas. It throws refusals before it
 * changes the state. A body that changes only when the labels of the record do is made by a function.
 */
export const operations: {
  readonly [Id in OperationId]: (call: Call<Id>) => SuccessBody<Id> | (() => SuccessBody<Id>);
} = {
  getHealth: () => ({ status: 'ok' }),
  listLabels: ({ tenant }) => ({
    labels: [...tenant.records.publicLabels.values()].map(({ id, name }) => ({ id, name })),
  }),
  getConversation({ record }) {
    const { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt } = record;
    return { id, friendlyId, subject, status, type, urgency, createdAt, updatedAt };
  },
  getConversationContext:
    ({ record, tenant }) =>
    () =>
      contextOf(tenant, record),
  applyConversationLabel: labelling('applyLabel', ofConversation),
  removeConversationLabel: labelling('removeLabel', ofConversation),
  getSite: ({ record, tenant }) => siteDetails(tenant, record),
  applySiteLabel: labelling('applyLabel', ofSite),
  removeSiteLabel: labelling('removeLabel', ofSite),
  getClient: ({ record }) => clientDetails(record),
  applyClientSiteLabel: labelling('applyLabel', ofLink),
  removeClientSiteLabel: labelling('removeLabel', ofLink),
  /** Step 1 of the upload flow, which issues the URL. The file is not on the site until it is registered. */
  startSiteFileUpload({ record: site, body, tenant, presign }) {
    const file = { fileKey: crypto.randomUUID(), contentType: body.contentType };
    const { url, expiresAt } = presign(file);
    tenant.files.set(file.fileKey, { ...file, site: site.id, urlExpiresAt: expiresAt, stored: null, registered: null });
    return { fileKey: file.fileKey, uploadUrl: url, uploadUrlExpiresAt: new Date(expiresAt).toISOString() };
  },
  /** Step 3 of the upload flow, which puts the file on the site. */
  registerSiteFile({ record: site, body, tenant, now, permits }) {
    const file = tenant.files.get(body.fileKey);
    // A fileKey belongs to the site for which it was started. For other sites it does not exist.
    if (file?.site !== site.id) {
      refuse('unknown-file-key', `No file ${body.fileKey} was started for site ${site.id}.`, body.fileKey);
    }
    if (file.registered !== null && !permits('register-twice')) {
      refuse('register-twice', `File ${file.fileKey} is registered already.`);
    }
    if (file.stored === null && !permits('register-before-put')) {
      refuse('register-before-put', `The bytes of file ${file.fileKey} were never PUT to its upload URL.`);
    }
    // If a profile permits a second registration, the file keeps the values of the first one.
    file.registered ??= { name: body.name, size: file.stored?.size ?? 0, at: now };
    const { name, size, at } = file.registered;
    return {
      fileKey: file.fileKey,
      siteId: site.id,
      name,
      contentType: file.contentType,
      size,
      createdAt: new Date(at).toISOString(),
    };
  },
};
