import { asArray, asObject, type Json, objectOf, withProperties } from '../../../../mock/proof/tampering/json-value.ts';
import { as, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { isElsewhere, otherOf } from '../../tampering/predicates.ts';

/** Changes the contexts that a key of acme is shown. @param change the context, and that of the other tenant's open conversation */
const withTheirs = (
  change: (
    own: Readonly<Record<string, Json>>,
    theirs: Readonly<Record<string, Json>>,
  ) => Readonly<Record<string, Json>>,
  when: () => boolean = () => true,
) =>
  onReply(async ({ id, ok, key, reply, mock, request, ask }) => {
    if (id !== 'getConversationContext' || !ok || key?.tenant !== 'acme' || !when()) return undefined;
    const url = '/v1/conversation/c0000001-0000-4000-8000-000000000101/context';
    const theirs = await ask(as(mock, { ...request, url }, 'globex'));
    return withProperties(reply, change(objectOf(reply), objectOf(theirs)));
  });

/** Data of one tenant at unusual places in replies to the other. */
export const leaks: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/refusal-lists-the-labels': [
      "answers 404 for another tenant's records, with ids of that tenant's labels as details",
      onReply(({ refused, key, mock, reply }) =>
        isElsewhere(refused) && key !== undefined
          ? withProperties(reply, {
              debug: { labels: [...(mock.tenants.get(otherOf(key.tenant))?.publicLabels.keys() ?? [])].slice(0, 2) },
            })
          : undefined,
      ),
    ],
    'isolation/refusal-names-the-subject': [
      "answers 404 for another tenant's conversation, with its subject in a header",
      onReply(({ refused, key, mock, reply, params }) => {
        const theirs = mock.tenants.get(otherOf(key?.tenant))?.conversations.get(params.id ?? '');
        return isElsewhere(refused) && theirs !== undefined
          ? { ...reply, headers: { ...reply.headers, 'x-debug': theirs.seed.subject ?? '' } }
          : undefined;
      }),
    ],
    'isolation/associates-with-every-tenant': [
      'lists a conversation of one tenant among the associated ones in all contexts of both',
      onReply(({ id, ok, reply }) => {
        if (id !== 'getConversationContext' || !ok) return undefined;
        const one = {
          friendlyId: 'G-77',
          subject: 'No heating in block 7',
          status: 'open',
          statusLastUpdatedAt: '2026-03-01T10:00:00.000Z',
        };
        const sites = asArray(objectOf(reply).sites).map(asObject);
        return withProperties(reply, {
          sites: sites.map((site) => ({
            ...site,
            associatedConversations: [...asArray(site.associatedConversations), one],
          })),
        });
      }),
    ],
    'isolation/requester-of-the-other-at-times': [
      "gives every fifth context the requester of the other tenant's",
      (scene) => {
        let turn = 0;
        return withTheirs(
          (_, { requester = '' }) => ({ requester }),
          () => turn++ % 5 === 4,
        )(scene);
      },
    ],
  }),
];
