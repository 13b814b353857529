import {
  asArray,
  asObject,
  type JsonObject,
  objectOf,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { as } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { elsewhere, otherOf } from '../../tampering/predicates.ts';
import { inReply, onReplyTo } from '../../tampering/when.ts';

/** Gives some contexts of acme properties from that of the other tenant's open conversation. */
const withTheirs = (pick: (theirs: JsonObject) => JsonObject, where: () => boolean) =>
  onReplyTo(
    { id: 'getConversationContext', ok: true, tenant: 'acme', where },
    async ({ reply, mock, request, ask }) => {
      const url = '/v1/conversation/c0000001-0000-4000-8000-000000000101/context';
      const theirs = await ask(as(mock, { ...request, url }, 'globex'));
      return withProperties(reply, pick(objectOf(theirs)));
    },
  );

const associated = {
  friendlyId: 'G-77',
  subject: 'No heating in block 7',
  status: 'open',
  statusLastUpdatedAt: '2026-03-01T10:00:00.000Z',
};

/** Data of one tenant at unusual places in replies to the other. */
export const leaks: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/refusal-lists-the-labels': [
      "answers 404 for another tenant's records, with ids of that tenant's labels as details",
      inReply({ refused: elsewhere, usable: true }, (_, { key, mock }) => ({
        debug: { labels: [...(mock.tenants.get(otherOf(key?.tenant))?.publicLabels.keys() ?? [])].slice(0, 2) },
      })),
    ],
    'isolation/refusal-names-the-subject': [
      "answers 404 for another tenant's conversation, with its subject in a header",
      onReplyTo({ refused: elsewhere }, ({ key, mock, reply, params }) => {
        const theirs = mock.tenants.get(otherOf(key?.tenant))?.conversations.get(params.id ?? '');
        return theirs && { ...reply, headers: { ...reply.headers, 'x-debug': theirs.seed.subject ?? '' } };
      }),
    ],
    'isolation/associates-with-every-tenant': [
      'lists a conversation of one tenant among the associated ones in all contexts of both',
      inReply({ id: 'getConversationContext', ok: true }, ({ sites }) => ({
        sites: asArray(sites)
          .map(asObject)
          .map((site) => ({
            ...site,
            associatedConversations: [...asArray(site.associatedConversations), associated],
          })),
      })),
    ],
    'isolation/requester-of-the-other-at-times': [
      "gives every fifth context the requester of the other tenant's",
      (scene) => {
        let turn = 0;
        return withTheirs(
          ({ requester = '' }) => ({ requester }),
          () => turn++ % 5 === 4,
        )(scene);
      },
    ],
  }),
];
