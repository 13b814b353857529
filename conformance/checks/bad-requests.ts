import type { RefusalCase } from '../../spec/files/profile-schema.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { CallOptions, CheckContext } from '../check.ts';
import type { FactName, Facts } from '../facts.ts';
import type { Reply } from '../reply.ts';

/** A request that something is wrong with, in a way that no deployment comes to harm by, should it let it through. */
export interface BadRequest {
  /** In ids of checks, and in profiles. */
  readonly refusal: RefusalCase;
  readonly words: string;
  readonly id: OperationId;
  readonly needs: readonly FactName[];
  readonly options: (given: Facts, newId: () => string) => CallOptions;
  /** What is wrong: its form; what it names, which nobody has; or what it names, which is not ours to see. */
  readonly fault: 'form' | 'unknown' | 'foreign';
  /** It names the label that checks put on and take off. */
  readonly locks?: readonly FactName[];
}

const start = (refusal: RefusalCase, words: string, body: unknown): BadRequest => ({
  refusal,
  words,
  id: 'startSiteFileUpload',
  needs: ['site'],
  options: ({ site }) => ({ params: { id: site }, body }),
  fault: 'form',
});

const register = (refusal: RefusalCase, words: string, body: unknown): BadRequest => ({
  ...start(refusal, words, body),
  id: 'registerSiteFile',
});

const malformedId = '0-not-a-uuid';

export const badRequests: readonly BadRequest[] = [
  start('malformed-json', 'JSON that breaks off', '{"contentType": "text/pl'),
  start('wrong-json-type', 'an array in place of an object', []),
  start('missing-content-type', 'an upload without contentType', {}),
  start('empty-content-type', 'an upload with an empty contentType', { contentType: '' }),
  start('additional-property', 'an upload with a property too many', { contentType: 'text/plain', surprise: true }),
  register('missing-file-key', 'a registration without fileKey', {}),
  register('malformed-file-key', 'a registration whose fileKey is not a UUID', { fileKey: malformedId }),
  {
    refusal: 'malformed-conversation-id',
    words: 'a conversation id that is not a UUID',
    id: 'getConversationContext',
    needs: [],
    options: () => ({ params: { id: malformedId } }),
    fault: 'form',
  },
  {
    refusal: 'malformed-label-id',
    words: 'a label id that is not a UUID',
    id: 'removeConversationLabel',
    needs: ['openConversation'],
    options: ({ openConversation }) => ({ params: { id: openConversation, labelId: malformedId } }),
    fault: 'form',
  },
  {
    refusal: 'malformed-client-id',
    words: 'a client id without ovcid-',
    id: 'removeClientSiteLabel',
    needs: ['link', 'spareLabel'],
    options: ({ link, spareLabel }) => ({
      params: { clientId: link.clientId.replace(/^ovcid-/, ''), siteId: link.siteId, labelId: spareLabel.id },
    }),
    fault: 'form',
    locks: ['link'],
  },
  {
    refusal: 'unknown-conversation',
    words: 'a conversation that does not exist',
    id: 'getConversationContext',
    needs: [],
    options: (_, newId) => ({ params: { id: newId() } }),
    fault: 'unknown',
  },
  {
    refusal: 'unknown-site',
    words: 'a site that does not exist',
    id: 'startSiteFileUpload',
    needs: [],
    options: (_, newId) => ({ params: { id: `ovaid-${newId()}` }, body: { contentType: 'text/plain' } }),
    fault: 'unknown',
  },
  {
    refusal: 'unknown-client',
    words: 'a client that does not exist',
    id: 'getClient',
    needs: [],
    options: (_, newId) => ({ params: { id: `ovcid-${newId()}` } }),
    fault: 'unknown',
  },
  {
    refusal: 'unknown-link',
    words: 'a client and a site that are not linked',
    id: 'removeClientSiteLabel',
    needs: ['link', 'spareLabel'],
    options: ({ link, spareLabel }, newId) => ({
      params: { clientId: `ovcid-${newId()}`, siteId: link.siteId, labelId: spareLabel.id },
    }),
    fault: 'unknown',
  },
  {
    refusal: 'unknown-label',
    words: 'a label that does not exist',
    id: 'removeConversationLabel',
    needs: ['openConversation'],
    options: ({ openConversation }, newId) => ({ params: { id: openConversation, labelId: newId() } }),
    fault: 'unknown',
  },
  {
    // It is carried already: were it let through, nothing would change.
    refusal: 'private-label',
    words: 'a private label',
    id: 'applyConversationLabel',
    needs: ['openConversation', 'privateLabel'],
    options: ({ openConversation, privateLabel }) => ({ params: { id: openConversation, labelId: privateLabel.id } }),
    fault: 'foreign',
  },
  {
    refusal: 'unknown-file-key',
    words: 'a fileKey that was never issued',
    id: 'registerSiteFile',
    needs: ['site'],
    options: ({ site }, newId) => ({ params: { id: site }, body: { fileKey: newId() } }),
    fault: 'unknown',
  },
  {
    refusal: 'foreign-conversation',
    words: "another tenant's conversation",
    id: 'getConversationContext',
    needs: ['strangerConversation'],
    options: ({ strangerConversation }) => ({ params: { id: strangerConversation } }),
    fault: 'foreign',
  },
  {
    refusal: 'foreign-site',
    words: "another tenant's site",
    id: 'startSiteFileUpload',
    needs: ['strangerSite'],
    options: ({ strangerSite }) => ({ params: { id: strangerSite }, body: { contentType: 'text/plain' } }),
    fault: 'foreign',
  },
  {
    refusal: 'foreign-client',
    words: "another tenant's client",
    id: 'getClient',
    needs: ['strangerLink'],
    options: ({ strangerLink }) => ({ params: { id: strangerLink.clientId } }),
    fault: 'foreign',
  },
  {
    refusal: 'foreign-link',
    words: "another tenant's link",
    id: 'removeClientSiteLabel',
    needs: ['strangerLink', 'spareLabel'],
    options: ({ strangerLink, spareLabel }) => ({ params: { ...strangerLink, labelId: spareLabel.id } }),
    fault: 'foreign',
  },
];

/** The reply to a bad request, sent once in a run for all checks that judge it. */
export const replyTo = (
  { call, given, shared, newId }: Pick<CheckContext, 'call' | 'given' | 'shared' | 'newId'>,
  { refusal, id, options }: BadRequest,
): Promise<Reply> => shared(`bad-request/${refusal}`, () => call(id, options(given, newId)));
