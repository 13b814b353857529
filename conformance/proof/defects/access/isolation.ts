import {
  asArray,
  asObject,
  errorWith,
  jsonOf,
  replyWith,
  withProperties,
} from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, as, bytesOf, instead, onReply } from '../../../../mock/proof/tampering/tamper.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { associating } from '../../tampering/associating.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway, labelWriteOf } from '../../tampering/label-write.ts';
import { elsewhere, otherOf, usable } from '../../tampering/predicates.ts';
import { otherSpareFirst } from '../../tampering/targets.ts';
import { late, underLoad } from '../../tampering/timing.ts';
import {
  chain,
  failing,
  inListed,
  inReply,
  onReplyTo,
  refusing,
  replying,
  servedAfterAll,
  servedAs,
  type When,
  withHeaders,
} from '../../tampering/when.ts';

/** Serves records of the other tenant in place of refusing them as unknown. */
const crossing = (id: When['id'], when: When = {}) =>
  servedAfterAll('the other', { ...when, id, refused: elsewhere, usable: true });

/** Refuses a write to a record of another tenant, but executes it. */
const doneOnAcme = (id: OperationId) => doneAnyway({ id, refused: elsewhere, tenant: 'globex' }, 'acme');

/** Lists this site in the contexts of a tenant. */
const listingSite = (tenant: string, id: string) =>
  inReply({ id: 'getConversationContext', ok: true, tenant }, ({ sites }) => ({ sites: [...asArray(sites), { id }] }));

/** Looks up conversations without regard to the tenant if their id is in capitals. */
const inCapitals = (method: When['method']) =>
  onReplyTo(
    { usable: true, method, where: ({ params }) => params.id?.startsWith('C0') },
    ({ params: { id = '' }, key, mock, request, ask }) => {
      const other = otherOf(key?.tenant);
      const isTheirs = mock.tenants.get(other)?.conversations.has(id.toLowerCase());
      const url = request.url.replace(id, id.toLowerCase());
      return isTheirs ? ask(as(mock, { ...request, url }, other, key?.scopes)) : undefined;
    },
  );

/** Takes a link of a client of one tenant and a site of the other for a link of the first tenant. */
const mixedLink = (id: OperationId, client: string, site: string) =>
  instead(({ id: asked, key, params: { clientId = '', siteId = '' } }) =>
    asked === id &&
    key?.tenant === 'acme' &&
    key.scopes.has('client:write') &&
    key.scopes.has('site:write') &&
    clientId.endsWith(client) &&
    siteId.endsWith(site)
      ? replyWith(200, { clientId, siteId, labels: [] })
      : undefined,
  );

const fileKeyIn = (request: Answered['request']) =>
  String(asObject(jsonOf(new TextDecoder().decode(bytesOf(request)))).fileKey);

/** Says 200 where a label is written to a record of this tenant, and changes nothing. */
const sayingYes = (when: When, owner: string, does?: string) =>
  replying(
    {
      ...when,
      refused: elsewhere,
      where: (answered) => {
        const write = labelWriteOf(answered, owner);
        if (does === undefined) return write !== undefined || answered.id === 'registerSiteFile';
        return write?.does === does && labelWriteOf(answered) === undefined;
      },
    },
    200,
    { labels: [] },
  );

const theirText = 'Shops around the escalators complain about the heat.';
const ourContext: When = { id: 'getConversationContext', ok: true, tenant: 'acme' };

export const isolation: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/any-key-reads-context': crossing('getConversationContext'),
    'isolation/any-key-reads-record': crossing('getConversation'),
    'isolation/stranger-reads-site': crossing(['getSite', 'getClient'], { tenant: 'globex' }),
    'isolation/we-read-strangers-client': crossing('getClient', { tenant: 'acme' }),
    'isolation/we-read-strangers-site': crossing('getSite', { tenant: 'acme' }),
    'isolation/legacy-site-of-the-other': servedAs('acme', { id: 'getSite', tenant: 'globex', record: 'legacy' }),
    'isolation/read-by-all-after-a-while': late(servedAfterAll('the other', { refused: elsewhere, method: 'GET' })),
    'isolation/read-by-all-under-load': underLoad(servedAfterAll('the other', { refused: elsewhere, method: 'GET' })),
    'isolation/encoded-ids-of-the-other': servedAfterAll('the other', { refused: elsewhere, url: /%/ }),
    'isolation/tenant-of-a-header': servedAfterAll('the other', {
      refused: elsewhere,
      where: ({ request, key }) => request.headers['x-tenant'] === otherOf(key?.tenant),
    }),
    'isolation/reads-ids-in-capitals-anywhere': inCapitals('GET'),
    'isolation/record-by-pattern': [
      'looks a conversation up by LIKE, whoever it belongs to, where the id is nothing but a wildcard',
      instead((asked) => {
        if (!usable(asked) || !/^\/v1\/conversation\/%25(\/context)?$/.test(asked.request.url)) return undefined;
        const url = asked.request.url.replace('%25', 'c0000001-0000-4000-8000-000000000001');
        return asked.ask(as(asked.mock, { ...asked.request, url }, 'acme'));
      }),
    ],
    'isolation/labels-of-everybody': [
      "puts a conversation id of the other tenant beside each listed label, as the label's last use",
      inListed((label) => ({ ...label, lastUsedOn: 'c0000001-0000-4000-8000-000000000101' }), 'acme'),
    ],
    'isolation/lists-a-label-of-the-other': inReply({ id: 'listLabels', ok: true }, ({ labels }, { key, mock }) => {
      const [label] = mock.tenants.get(otherOf(key?.tenant))?.records.labels.values() ?? [];
      return { labels: [...asArray(labels), ...(label ? [{ id: label.id, name: label.name }] : [])] };
    }),
    'isolation/stranger-in-context': listingSite('acme', 'ovaid-517e0001-0000-4000-8000-000000000101'),
    'isolation/shows-a-site-that-nobody-names': listingSite('globex', 'ovaid-517e0004-0000-4000-8000-000000000004'),
    'isolation/message-of-theirs-in-closed-context': inReply({ ...ourContext, record: 'closed' }, ({ messages }) => ({
      messages: [...asArray(messages), { author: 'Petra Novak', role: 'client', text: theirText, rawBody: theirText }],
    })),
    'isolation/their-text-in-a-summary': inReply(ourContext, () => ({ similar: [{ text: `Seen: ${theirText}` }] })),
    'isolation/their-text-now-and-then': inReply({ ...ourContext, every: 3 }, () => ({
      subject: 'Escalator hall too warm',
    })),
    'isolation/associates-a-conversation-of-the-other': associating(({ key, mock }) => {
      const [conversation] = mock.tenants.get(otherOf(key?.tenant))?.conversations.values() ?? [];
      const { friendlyId = '', subject = '', status = '', updatedAt = '' } = conversation?.seed ?? {};
      return { friendlyId, subject, status, statusLastUpdatedAt: updatedAt, shortSummary: subject };
    }),
    'isolation/refusal-shows-the-record': onReplyTo(
      { id: 'getConversationContext', refused: elsewhere, usable: true },
      async ({ ask, key, mock, request, reply }) => {
        const shown = await ask(as(mock, request, otherOf(key?.tenant)));
        return shown.status === 200 ? withProperties(reply, { details: jsonOf(shown.body) }) : undefined;
      },
    ),
    'isolation/refusal-lists-the-labels': inReply({ refused: elsewhere, usable: true }, (_, { key, mock }) => ({
      debug: { labels: [...(mock.tenants.get(otherOf(key?.tenant))?.publicLabels.keys() ?? [])].slice(0, 2) },
    })),
    'isolation/refusal-names-the-subject': onReplyTo({ refused: elsewhere }, ({ key, mock, reply, params }) => {
      const theirs = mock.tenants.get(otherOf(key?.tenant))?.conversations.get(params.id ?? '');
      return theirs && { ...reply, headers: { ...reply.headers, 'x-debug': theirs.seed.subject ?? '' } };
    }),
    'isolation/refusal-names-a-label-of-theirs': [
      "names the other tenant's label in the refusal to put it on",
      onReply(({ id, params: { labelId = '' }, mock, key, reply }) => {
        const theirs = mock.tenants.get(otherOf(key?.tenant))?.records.labels.get(labelId);
        const isRefused = id?.startsWith('apply') && reply.status >= 400 && reply.status < 500 && key;
        return isRefused && theirs ? errorWith(reply.status, 'NOT_FOUND', `"${theirs.name}" is not yours.`) : undefined;
      }),
      otherSpareFirst,
    ],
    'isolation/their-text-in-a-refusal': failing(
      { id: 'getConversation', refused: elsewhere, tenant: 'acme' },
      404,
      '"Escalator hall too warm" is not yours.',
    ),
    'isolation/refused-listing-names-ours': refusing(
      { id: 'listLabels', tenant: 'globex' },
      404,
      'No labels but those of c0000001-0000-4000-8000-000000000001.',
    ),
    'isolation/keyless-error-names-a-site': failing(
      { refused: 'no-key', id: 'getHealth' },
      403,
      'Try /v1/site/ovaid-517e0001-0000-4000-8000-000000000101 with a key.',
    ),
    'isolation/site-cache-without-key': [
      'caches the details of sites by path, so that two tenants with one bare id see the first that was asked for',
      fromCache({ keeps: { id: 'getSite', ok: true }, answers: { id: 'getSite', ok: true }, acrossTenants: true }),
    ],
    'isolation/etag-before-the-tenant': [
      'answers 304 to whoever knows the ETag of a conversation',
      chain(
        withHeaders({ id: 'getConversation', ok: true }, { etag: '"1"' }),
        instead((asked) =>
          asked.id === 'getConversation' && usable(asked) && asked.request.headers['if-none-match'] === '"1"'
            ? { status: 304, headers: {}, body: null }
            : undefined,
        ),
      ),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/writes-ids-in-capitals-anywhere': inCapitals(['PUT', 'POST', 'DELETE']),
    'isolation/any-key-removes-from-conversation': crossing('removeConversationLabel'),
    'isolation/any-key-labels-site': crossing('applySiteLabel'),
    'isolation/any-key-labels-link': crossing('removeClientSiteLabel'),
    'isolation/upload-for-any-site': crossing('startSiteFileUpload'),
    'isolation/stranger-registers-our-file': crossing('registerSiteFile'),
    'isolation/written-by-all-after-a-while': late(
      servedAfterAll('the other', { refused: elsewhere, method: ['PUT', 'POST', 'DELETE'] }),
    ),
    'isolation/uploads-for-the-first-tenant-alone': servedAs('acme', { id: 'startSiteFileUpload', tenant: 'globex' }),
    'isolation/legacy-site-written-in-the-wrong-tenant': servedAs('acme', {
      id: ['applySiteLabel', 'removeSiteLabel'],
      tenant: 'globex',
      record: 'legacy',
    }),
    'isolation/write-lands-in-both': [
      "answers for the caller's own legacy site, and changes the site of that id in the other tenant too",
      chain(
        servedAs('its own', { id: 'applySiteLabel', tenant: 'globex', record: 'legacy' }),
        doneAnyway({ id: 'applySiteLabel', tenant: 'globex', record: 'legacy' }, 'acme'),
      ),
    ],
    'isolation/refused-but-applied-to-conversation': doneOnAcme('applyConversationLabel'),
    'isolation/refused-but-removed-from-site': doneOnAcme('removeSiteLabel'),
    'isolation/refused-but-removed-from-link': doneOnAcme('removeClientSiteLabel'),
    'isolation/strangers-label-accepted': [
      "accepts another tenant's label on a conversation, and answers the labels that it carries",
      onReplyTo({ refused: elsewhere, tenant: 'acme' }, (answered) => {
        const write = labelWriteOf(answered);
        const isTheirs = answered.mock.tenants.get('globex')?.publicLabels.has(answered.params.labelId ?? '');
        if (write === undefined || !isTheirs) return undefined;
        const labels = write.tenant.publicLabelsOf(write.holder).map(({ id, name }) => ({ id, name }));
        return replyWith(200, { labels });
      }),
    ],
    'isolation/strangers-writes-say-200': sayingYes({ tenant: 'globex' }, 'acme'),
    'isolation/we-apply-what-is-theirs': sayingYes({ tenant: 'acme' }, 'globex', 'apply'),
    'isolation/we-remove-what-is-theirs': sayingYes({ tenant: 'acme' }, 'globex', 'remove'),
    'isolation/our-client-with-their-site': mixedLink('applyClientSiteLabel', '000000000001', '000000000101'),
    'isolation/their-client-with-our-site-removed': mixedLink('removeClientSiteLabel', '000000000101', '000000000001'),
    'isolation/we-register-their-file': onReplyTo(
      { id: 'registerSiteFile', refused: elsewhere, tenant: 'acme' },
      ({ request, mock }) => {
        const fileKey = fileKeyIn(request);
        return mock.tenants.get('globex')?.files.has(fileKey) ? replyWith(201, { fileKey }) : undefined;
      },
    ),
    'isolation/their-file-at-our-site': replying({ id: 'registerSiteFile', refused: 'foreign-file-key' }, 201, {}),
    'isolation/file-at-a-site-of-the-other': replying(
      { id: 'registerSiteFile', refused: 'foreign-site', where: ({ key }) => key },
      201,
      { fileKey: 'f11e0001-0000-4000-8000-000000000001' },
    ),
  }),
];
