import { asArray, asObject, jsonOf, replyWith, withProperties } from '../../../../mock/proof/tampering/json-value.ts';
import { type Answered, as, bytesOf, instead } from '../../../../mock/proof/tampering/tamper.ts';
import type { SiteFile } from '../../../../mock/store/tenant.ts';
import type { OperationId } from '../../../../spec/operations.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import { fromCache } from '../../tampering/from-cache.ts';
import { doneAnyway, labelsNow, labelWriteOf, onWrite } from '../../tampering/label-write.ts';
import { elsewhere, isElsewhere, otherOf, usable } from '../../tampering/predicates.ts';
import { late } from '../../tampering/timing.ts';
import {
  chain,
  failing,
  inListed,
  inReply,
  onReplyTo,
  refusing,
  servedAfterAll,
  servedAs,
  type When,
  withHeaders,
} from '../../tampering/when.ts';

/** Serves records of the other tenant in place of refusing them as unknown. */
const crossing = (id: When['id'], tenant?: string) =>
  servedAfterAll('the other', { id, refused: elsewhere, usable: true, ...(tenant && { tenant }) });

/** Refuses a write to a record of another tenant, but executes it. */
const doneOnAcme = (id: OperationId) => doneAnyway({ id, refused: elsewhere, tenant: 'globex' }, 'acme');

/** Lists this site in the contexts of a tenant. */
const listingSite = (tenant: string, id: string) =>
  inReply({ id: 'getConversationContext', ok: true, tenant }, ({ sites }) => ({ sites: [...asArray(sites), { id }] }));

/** Looks up conversations without regard to the tenant if their id is in capitals. */
const inCapitals = (isRead: boolean) =>
  onReplyTo(
    {
      usable: true,
      where: ({ params, request }) => params.id?.startsWith('C0') && (request.method === 'GET') === isRead,
    },
    ({ params: { id = '' }, key, mock, request, ask }) => {
      const other = otherOf(key?.tenant);
      const isTheirs = mock.tenants.get(other)?.conversations.has(id.toLowerCase());
      const url = request.url.replace(id, id.toLowerCase());
      return isTheirs ? ask(as(mock, { ...request, url }, other, key?.scopes)) : undefined;
    },
  );

/** Takes a link of a client of one tenant and a site of the other for a link of the first tenant. */
const mixedLink = (id: 'applyClientSiteLabel' | 'removeClientSiteLabel', client: string, site: string) =>
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

const withoutLabels = ({ reply }: Answered) => ({ ...reply, status: 200, body: '{"labels":[]}' });

const fileKeyIn = (request: Answered['request']) =>
  String(asObject(jsonOf(new TextDecoder().decode(bytesOf(request)))).fileKey);

/** Registers some files of the other tenant at a site of the caller. */
const onTheirFile = (which: (file: SiteFile, siteId: string) => boolean) =>
  onReplyTo({ id: 'registerSiteFile', refused: 'foreign-file-key' }, ({ request, mock, params, key }) => {
    const fileKey = fileKeyIn(request);
    const file = mock.tenants.get(key?.tenant === 'acme' ? 'globex' : 'acme')?.files.get(fileKey);
    return file && which(file, params.id ?? '') ? replyWith(201, { fileKey }) : undefined;
  });

export const isolation: readonly Defect[] = [
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/any-key-reads-context': crossing('getConversationContext'),
    'isolation/labels-of-the-legacy-site-of-the-other': [
      "answers the labels of the other tenant's site where both have a site with this bare id",
      onWrite(
        ({ on, holder }) => on === 'site' && 'id' in holder && String(holder.id) === '10042',
        (write, { reply, key, mock }) => {
          const other = mock.tenants.get(otherOf(key?.tenant));
          const site = other?.sites.get('10042');
          const theirs = site ? (other?.publicLabelsOf(site) ?? []) : [];
          return withProperties(reply, {
            labels: [
              ...theirs.map(({ id, name }) => ({ id, name })),
              ...labelsNow(write).filter(({ id }) => id === write.label?.id),
            ],
          });
        },
      ),
    ],
    'isolation/reads-ids-in-capitals-anywhere': [
      'looks a conversation up by its id alone where the id is in capitals, for reads',
      inCapitals(true),
    ],
    'isolation/any-key-reads-record': crossing('getConversation'),
    'isolation/stranger-reads-site': crossing(['getSite', 'getClient'], 'globex'),
    'isolation/we-read-strangers-client': crossing('getClient', 'acme'),
    'isolation/legacy-site-of-the-other': servedAs('acme', { id: 'getSite', tenant: 'globex', record: 'legacy' }),
    'isolation/labels-of-everybody': [
      "puts a conversation id of the other tenant beside each listed label, as the label's last use",
      inListed((label) => ({ ...label, lastUsedOn: 'c0000001-0000-4000-8000-000000000101' }), 'acme'),
    ],
    'isolation/lists-a-label-of-the-other': [
      "lists the other tenant's first label among our own",
      inReply({ id: 'listLabels', ok: true }, ({ labels }, { key, mock }) => {
        const [label] = mock.tenants.get(otherOf(key?.tenant))?.records.labels.values() ?? [];
        return { labels: [...asArray(labels), ...(label ? [{ id: label.id, name: label.name }] : [])] };
      }),
    ],
    'isolation/stranger-in-context': [
      "lists the other tenant's site beside our own in a context",
      listingSite('acme', 'ovaid-517e0001-0000-4000-8000-000000000101'),
    ],
    'isolation/shows-a-site-that-nobody-names': [
      "lists a site of the first tenant in the second's contexts, one that the target file does not name",
      listingSite('globex', 'ovaid-517e0004-0000-4000-8000-000000000004'),
    ],
    'isolation/refusal-shows-the-record': [
      "answers 404 for another tenant's conversation, with its context as details",
      onReplyTo(
        { id: 'getConversationContext', refused: elsewhere, usable: true },
        async ({ ask, key, mock, request, reply }) => {
          const shown = await ask(as(mock, request, otherOf(key?.tenant)));
          return shown.status === 200 ? withProperties(reply, { details: jsonOf(shown.body) }) : undefined;
        },
      ),
    ],
    'isolation/refused-listing-names-ours': refusing(
      { id: 'listLabels', tenant: 'globex' },
      404,
      'No labels but those of c0000001-0000-4000-8000-000000000001.',
    ),
    'isolation/site-cache-without-key': [
      'caches the details of sites by path, so that two tenants with one bare id see the first that was asked for',
      fromCache({
        keeps: { id: 'getSite', ok: true },
        answers: { id: 'getSite', ok: true },
        acrossTenants: true,
      }),
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
    'isolation/we-read-strangers-site': crossing('getSite', 'acme'),
    'isolation/sites-in-any-spelling': [
      'looks a site up by its id alone where the id is in capitals',
      instead((asked) => {
        if (asked.id !== 'getSite' && !/^\/v1\/site\/OVAID-/.test(asked.request.url)) return undefined;
        if (!usable(asked) || !asked.request.url.includes('OVAID-')) return undefined;
        const url = asked.request.url.toLowerCase();
        return asked.ask(as(asked.mock, { ...asked.request, url }, url.includes('000000000101') ? 'globex' : 'acme'));
      }),
    ],
    'isolation/record-by-pattern': [
      'looks a conversation up by LIKE, whoever it belongs to, where the id is nothing but a wildcard',
      instead((asked) => {
        if (!usable(asked) || !/^\/v1\/conversation\/%25(\/context)?$/.test(asked.request.url)) return undefined;
        const url = asked.request.url.replace('%25', 'c0000001-0000-4000-8000-000000000001');
        return asked.ask(as(asked.mock, { ...asked.request, url }, 'acme'));
      }),
    ],
  }),
  ...breaking('isolation/writes-stay-in-tenant', {
    'isolation/writes-ids-in-capitals-anywhere': [
      'looks a conversation up by its id alone where the id is in capitals, for writes',
      inCapitals(false),
    ],
    'isolation/any-key-removes-from-conversation': crossing('removeConversationLabel'),
    'isolation/any-key-labels-site': crossing('applySiteLabel'),
    'isolation/any-key-labels-link': crossing('removeClientSiteLabel'),
    'isolation/strangers-label-accepted': [
      "accepts another tenant's label on a conversation, and answers the labels that it carries",
      onReplyTo({ refused: elsewhere, tenant: 'acme' }, (answered) => {
        const write = labelWriteOf(answered);
        const isTheirs = answered.mock.tenants.get('globex')?.publicLabels.has(answered.params.labelId ?? '');
        if (write === undefined || !isTheirs) return undefined;
        const labels = write.tenant.publicLabelsOf(write.holder).map(({ id, name }) => ({ id, name }));
        return { ...answered.reply, status: 200, body: JSON.stringify({ labels }) };
      }),
    ],
    'isolation/strangers-writes-say-200': [
      "answers 200 where the second tenant's key writes a label or registers a file of ours, and changes nothing",
      onReplyTo(
        {
          refused: elsewhere,
          tenant: 'globex',
          where: (answered) => labelWriteOf(answered, 'acme') !== undefined || answered.id === 'registerSiteFile',
        },
        withoutLabels,
      ),
    ],
    'isolation/we-register-their-file': [
      "registers the second tenant's file for the first",
      onReplyTo({ id: 'registerSiteFile', refused: elsewhere, tenant: 'acme' }, ({ request, mock }) => {
        const fileKey = fileKeyIn(request);
        return mock.tenants.get('globex')?.files.has(fileKey) ? replyWith(201, { fileKey }) : undefined;
      }),
    ],
    'isolation/refused-but-applied-to-conversation': doneOnAcme('applyConversationLabel'),
    'isolation/refused-but-removed-from-site': doneOnAcme('removeSiteLabel'),
    'isolation/refused-but-removed-from-link': doneOnAcme('removeClientSiteLabel'),
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
    'isolation/upload-for-any-site': crossing('startSiteFileUpload'),
    'isolation/uploads-for-the-first-tenant-alone': servedAs('acme', { id: 'startSiteFileUpload', tenant: 'globex' }),
    'isolation/stranger-registers-our-file': crossing('registerSiteFile'),
    'isolation/stranger-spoils-our-file': [
      "answers 404 where another tenant registers a file, and marks the owner's as failed",
      (scene) => {
        let spoilt = false;
        const isSpoilt = ({ key, refused, reply }: Answered) => {
          if (key?.tenant === 'globex' && isElsewhere(refused)) spoilt = true;
          return key?.tenant === 'acme' && spoilt && reply.status === 201;
        };
        return failing({ id: 'registerSiteFile', where: isSpoilt }, 404)(scene);
      },
    ],
    'isolation/our-client-with-their-site': [
      'looks at the client alone where a label is put on a link of our client and their site',
      mixedLink('applyClientSiteLabel', '000000000001', '000000000101'),
    ],
    'isolation/their-client-with-our-site-removed': [
      'looks at the site alone where a label is taken off a link of their client and our site',
      mixedLink('removeClientSiteLabel', '000000000101', '000000000001'),
    ],
    'isolation/refused-but-removed-from-closed': doneAnyway(
      { refused: elsewhere, id: 'removeConversationLabel', record: 'closed' },
      'the other',
    ),
    'isolation/their-file-at-our-site': [
      "registers a file of the other tenant's at a site of one's own",
      onReplyTo({ id: 'registerSiteFile', refused: 'foreign-file-key' }, ({ params }) =>
        replyWith(201, { siteId: params.id ?? '' }),
      ),
    ],
    'isolation/their-file-at-the-same-legacy-site': [
      "registers a file of the other tenant's where the sites of both have the same id",
      onTheirFile((file, id) => file.site === id),
    ],
    'isolation/their-file-once-it-is-registered': [
      "registers a file of the other tenant's again at a site of one's own",
      onTheirFile((file) => file.registered !== null),
    ],
    'isolation/written-by-all-after-a-while': late(
      servedAfterAll('the other', { refused: elsewhere, method: ['PUT', 'POST', 'DELETE'] }),
    ),
    'isolation/file-at-a-site-of-the-other': [
      "registers a tenant's own file at a site of the other one",
      onReplyTo({ id: 'registerSiteFile', refused: 'foreign-site', where: ({ key }) => key }, () =>
        replyWith(201, { fileKey: crypto.randomUUID() }),
      ),
    ],
  }),
  ...(['apply', 'remove'] as const).map(
    (does): Defect => ({
      id: `isolation/we-${does}-what-is-theirs`,
      breaks: 'isolation/writes-stay-in-tenant',
      does: `answers 200 when a key of the first tenant ${does === 'apply' ? 'applies one of its labels to' : 'removes one of its labels from'} a record of the second`,
      around: onReplyTo(
        {
          refused: elsewhere,
          tenant: 'acme',
          where: (answered) =>
            labelWriteOf(answered, 'globex')?.does === does && labelWriteOf(answered, 'acme') === undefined,
        },
        withoutLabels,
      ),
    }),
  ),
];
