import { asArray, asObject, errorWith, withJson } from '../../../../mock/proof/tampering/json-value.ts';
import { type Asked, instead, onReply, type Scene } from '../../../../mock/proof/tampering/tamper.ts';
import { labelWriteOf as asksFor } from '../../../target/holder.ts';
import { breaking, type Defect } from '../../tampering/defect.ts';
import {
  alsoAfter,
  applying,
  carried,
  drop,
  isClosed,
  type LabelWrite,
  labelWriteOf,
  onWrite,
  put,
  removing,
} from '../../tampering/label-write.ts';
import { oneSpare, twoLinks } from '../../tampering/targets.ts';
import { chain, failing, inReply, withHeaders } from '../../tampering/when.ts';
import { inLabels, labelsOfSite } from './label-replies.ts';

const isLegacy = ({ holder }: LabelWrite) => 'id' in holder && String(holder.id) === '10042';
const spares = ['1abe1008-0000-4000-8000-000000000008', '1abe1009-0000-4000-8000-000000000009'];
const isSpare = ({ label }: LabelWrite) => spares.includes(label?.id ?? '');

/** Adds a side effect to some writes of spare labels. */
const also = (which: Parameters<typeof alsoAfter>[0], more: Parameters<typeof alsoAfter>[1]) =>
  alsoAfter((write, answered) => isSpare(write) && which(write, answered), more);

/** Another conversation of the same tenant. */
const neighbourOf = ({ tenant, holder }: LabelWrite) =>
  [...tenant.conversations.values()].find(
    (one) => one !== holder && String(one.id).startsWith('c000000') && /0[12]$/.test(String(one.id)),
  );

/** Loses a write if another label of the same holder was written shortly before. */
const losing = (milliseconds: number, does: LabelWrite['does'], on: LabelWrite['on']) => (scene: Scene) => {
  const last = new Map<object, { readonly at: number; readonly label: LabelWrite['label'] }>();
  const isLost = (write: LabelWrite) => {
    if (!isSpare(write) || write.on !== on) return false;
    const at = scene.mock.clock.now();
    const before = last.get(write.holder) ?? { at: Number.NEGATIVE_INFINITY, label: undefined };
    last.set(write.holder, { at, label: write.label });
    return before.label !== write.label && at - before.at <= milliseconds && write.does === does;
  };
  return alsoAfter(isLost, does === 'apply' ? drop : put)(scene);
};

/** A write reads the whole set, changes it and writes it back, so that concurrent changes are lost. */
const overwriting = (milliseconds: number, on: LabelWrite['on']) => (scene: Scene) => {
  const last = new Map<object, { readonly at: number; readonly write: LabelWrite }>();
  return onWrite(applying(on), (write, { mock }) => {
    const at = mock.clock.now();
    const before = last.get(write.holder);
    if (isSpare(write)) last.set(write.holder, { at, write });
    if (before === undefined || at - before.at > milliseconds || before.write.label === write.label) return undefined;
    if (carried(before.write)) scene.reached();
    drop(before.write);
    return undefined;
  })(scene);
};

/** The link of a site, or the site of a link. */
const companionOf = ({ tenant, holder, on }: LabelWrite) =>
  on === 'site'
    ? [...tenant.links.values()].find(
        ({ client, site }) => 'id' in holder && site === holder.id && client.startsWith('ovcid-c11e0001'),
      )
    : tenant.sites.get('site' in holder ? String(holder.site) : '');

/** A write to a site also writes to its link, or the other way round. */
const onCompanion = (on: 'site' | 'link', does: LabelWrite['does']) =>
  also(
    (write) => write.on === on && write.does === does,
    (write) => {
      const holder = companionOf(write);
      if (holder) (does === 'apply' ? put : drop)({ ...write, holder });
    },
  );

/** Defects that need several holders, keys or concurrent requests to show. */
export const labelCompany: readonly Defect[] = [
  {
    id: 'labels/one-spare-site-apply-labels-link',
    breaks: 'labels/remove-removes',
    does: 'labels the link of a site as well, where the tenant has one spare label',
    target: oneSpare,
    around: onCompanion('site', 'apply'),
  },
  {
    id: 'labels/one-spare-link-remove-unlabels-site',
    breaks: 'labels/apply-adds',
    does: 'takes a label off the site of a link as well, where the tenant has one spare label',
    target: oneSpare,
    around: onCompanion('link', 'remove'),
  },
  {
    id: 'labels/remove-hits-links-of-the-client',
    breaks: 'labels/apply-adds',
    does: 'takes a label off every link of a client where it is removed from one',
    target: twoLinks,
    around: also(removing('link'), (write) => {
      for (const holder of write.tenant.links.values())
        if ('client' in write.holder && holder.client === write.holder.client) drop({ ...write, holder });
    }),
  },
  ...breaking('labels/closed-conversation-can-be-labelled', {
    'labels/closed-apply-drops-another': [
      'loses another label of a closed conversation where one is applied',
      also(
        (write) => isClosed(write) && write.does === 'apply',
        ({ tenant, holder, label }) => {
          const other = tenant.publicLabelsOf(holder).find(({ id }) => id !== label?.id && !spares.includes(id));
          drop({ tenant, holder, label: other && tenant.records.labels.get(other.id) });
        },
      ),
    ],
  }),
  ...breaking('labels/conversation-apply', {
    'labels/closed-shows-nothing-applied': [
      'answers the set of a closed conversation without the label that was applied',
      inLabels('conversation', 'apply', (labels, write) =>
        isClosed(write) ? labels.filter((one) => asObject(one).id !== write.label?.id) : undefined,
      ),
    ],
  }),
  ...breaking('labels/apply-adds', {
    'labels/removal-of-theirs-hits-its-namesake': [
      'takes its own label off where the label of another tenant with the same name is removed',
      onReply((answered) => {
        const { refused, reply, mock, params } = answered;
        const write = refused === 'foreign-label' ? labelWriteOf(answered) : undefined;
        if (write?.does !== 'remove') return undefined;
        const named = [...mock.tenants.values()].map(({ records }) => records.labels.get(params.labelId ?? '')?.name);
        const label = [...write.tenant.records.labels.values()].find(({ name }) => named.includes(name));
        if (label !== undefined) write.tenant.removeLabel(write.holder, label);
        return label && { ...reply, headers: { ...reply.headers, 'x-removed': '1' } };
      }),
    ],
    'labels/legacy-apply-not-stored': [
      'answers an apply to a site with a bare id as it should, and stores nothing',
      also((write) => isLegacy(write) && write.does === 'apply', drop),
    ],
    'labels/narrow-key-apply-not-stored': [
      'answers an apply to a conversation with a key with one scope as it should, and stores nothing',
      also(({ does }, { key }) => does === 'apply' && key?.name === 'only-conversation-write', drop),
    ],
    'labels/after-idle-not-stored': [
      'answers an apply with a key that has sent nothing for two seconds as it should, and stores nothing',
      (scene) => {
        const last = new Map<string | undefined, number>();
        let isRested = false;
        const handle = onReply(({ key, mock }) => {
          const name = key && `${key.tenant}/${key.name}`;
          isRested = mock.clock.now() - (last.get(name) ?? Number.POSITIVE_INFINITY) > 2_000;
          last.set(name, mock.clock.now());
          return undefined;
        })(scene);
        return also(({ does }) => isRested && does === 'apply', drop)({ ...scene, handle });
      },
    ],
    'labels/set-per-key': [
      'shows in a context only labels that the key itself has applied, beside those that were there before',
      (scene) => {
        const appliedBy = new Map<string, string | undefined>();
        const isShown = (label: string, name: string | undefined) => (appliedBy.get(label) ?? name) === name;
        return chain(
          onWrite(
            ({ does }) => does === 'apply',
            ({ label }, { key }) => {
              if (label) appliedBy.set(label.name, key?.name);
              return undefined;
            },
          ),
          inReply({ id: 'getConversationContext', ok: true }, ({ labels }, { key }) => ({
            labels: asArray(labels).filter((label) => isShown(String(label), key?.name)),
          })),
        )(scene);
      },
    ],
    'labels/apply-hits-a-neighbour': [
      'takes a label off the other conversation where it is applied to one',
      also(applying('conversation'), (write) => {
        const holder = neighbourOf(write);
        if (holder) drop({ ...write, holder });
      }),
    ],
    'labels/gone-after-a-second': [
      'shows a label for half a second after it was applied to a conversation, and then no more',
      (scene) => {
        const { clock } = scene.mock;
        const due: { readonly at: number; readonly write: LabelWrite }[] = [];
        const handle = also(applying('conversation'), (write) => due.push({ at: clock.now() + 500, write }))(scene);
        return (request, trace) => {
          const passed = due.findIndex(({ at }) => at > clock.now());
          for (const { write } of due.splice(0, passed < 0 ? due.length : passed)) drop(write);
          return handle(request, trace);
        };
      },
    ],
  }),
  ...breaking('labels/remove-removes', {
    'labels/legacy-remove-not-stored': [
      'answers a removal from a site with a bare id as it should, and stores nothing',
      also((write) => isLegacy(write) && write.does === 'remove', put),
    ],
    'labels/full-key-remove-not-stored': [
      'answers a removal with a key with every scope as it should, and stores nothing',
      also(({ does }, { key }) => does === 'remove' && key?.name === 'full', put),
    ],
  }),
  ...breaking('labels/site-label-set', {
    'labels/legacy-set-has-another-id': [
      'answers the set of a site with a bare id under an id of the newer form',
      inReply({ ...labelsOfSite, record: 'legacy' }, () => ({ siteId: 'ovaid-10042' })),
    ],
  }),
  ...breaking('labels/apply-is-idempotent', {
    'labels/applied-twice-at-once-is-500': [
      'answers 500 where a label was applied to the same site up to 20 ms before',
      (scene) => {
        const appliedAt = new Map<string, number>();
        const isAtOnce = ({ params: { id, labelId }, mock }: Asked) => {
          const now = mock.clock.now();
          const before = appliedAt.get(`${id} ${labelId}`) ?? 0;
          appliedAt.set(`${id} ${labelId}`, now);
          return now - before < 20;
        };
        return failing({ id: 'applySiteLabel', ok: true, where: isAtOnce }, 500)(scene);
      },
    ],
    'labels/theirs-toggle': [
      'takes a label off when the second tenant applies a label that is carried',
      (scene) => {
        const carriers = new Set<object>();
        const isRepeated = ({ does, holder, label, tenant }: LabelWrite) => {
          if (tenant.name !== 'globex' || label?.name !== 'spare') return false;
          const wasCarried = carriers.delete(holder);
          if (does === 'apply' && !wasCarried) carriers.add(holder);
          return does === 'apply' && wasCarried;
        };
        return alsoAfter(isRepeated, drop)(scene);
      },
    ],
    'labels/third-apply-409': [
      'answers 409 where a label that a site carries is applied a third time',
      (scene) => {
        const counts = new Map<string, number>();
        return instead((asked) => {
          const write = labelWriteOf(asked);
          const plain = asksFor(asked.id, asked.params);
          if (write?.on !== 'site' || plain === null || !isSpare(write) || asked.key?.revoked) return undefined;
          const name = `${asked.params.id} ${plain.label}`;
          counts.set(name, write.does === 'apply' ? (counts.get(name) ?? 0) + 1 : 0);
          return (counts.get(name) ?? 0) > 2 ? errorWith(409, 'CONFLICT') : undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-name-in-a-404': [
      'names the labels of a conversation, private ones too, where a path below it is unknown',
      failing({ status: 404, url: /^\/v1\/conversation\/c0000001/ }, 404, 'Not found. Labels: internal-risk.'),
    ],
    'labels/private-name-in-a-header': [
      'names the labels of a context, private ones too, in a header',
      withHeaders({ id: 'getConversationContext', ok: true }, { 'x-labels': 'vip,internal-risk' }),
    ],
    'labels/private-in-closed-context': [
      'names a private label in the context of a closed conversation alone',
      inReply({ id: 'getConversationContext', ok: true, tenant: 'acme', record: 'closed' }, ({ labels }) => ({
        labels: [...asArray(labels), 'churn-suspect'],
      })),
    ],
    'labels/private-id-in-a-header': [
      'names the id of a private label in a header of the list',
      withHeaders({ id: 'listLabels', ok: true }, { 'x-hidden': '1abe9003-0000-4000-8000-000000000903' }),
    ],
    'labels/private-beside-the-set-of-a-site': [
      'lists the ids of private labels beside the set of a site with a bare id',
      inReply({ ...labelsOfSite, record: 'legacy' }, () => ({ hidden: ['1abe9002-0000-4000-8000-000000000902'] })),
    ],
  }),
  ...(['conversation', 'site', 'link'] as const).flatMap((on): Defect[] => [
    {
      id: `labels/two-applies-at-once-on-${on}`,
      breaks: 'labels/apply-adds',
      does: `loses the second of two labels that are applied to a ${on} within 50 ms`,
      around: losing(50, 'apply', on),
    },
    {
      id: `labels/two-writers-with-one-spare-on-${on}`,
      breaks: 'labels/apply-adds',
      does: `overwrites the labels of a ${on} with an earlier copy, and so loses one that was applied up to 50 ms before; there is one spare label`,
      around: overwriting(50, on),
      target: oneSpare,
    },
    {
      id: `labels/two-removals-at-once-on-${on}`,
      breaks: 'labels/remove-removes',
      does: `loses the second of two removals from a ${on} within 50 ms`,
      around: losing(50, 'remove', on),
    },
  ]),
  ...breaking('labels/membership-is-a-set', {
    'labels/eight-applies-are-several': [
      'lists a label twice where it was applied twice within 200 ms',
      (scene) => {
        const last = new Map<object, number>();
        return inLabels('any', 'apply', (labels, { holder, label }, { mock }) => {
          const before = last.get(holder) ?? Number.NEGATIVE_INFINITY;
          last.set(holder, mock.clock.now());
          const applied = label && labels.find((listed) => asObject(listed).id === label.id);
          return mock.clock.now() - before < 200 && applied ? [...labels, applied] : undefined;
        })(scene);
      },
    ],
  }),
  ...breaking('labels/private-cannot-be-applied', {
    'labels/private-applied-to-closed-alone': [
      'says that a private label was applied to a closed conversation',
      onReply((answered) => {
        const write = answered.refused === null ? undefined : labelWriteOf(answered);
        if (write?.does !== 'apply' || write.label?.visibility !== 'private' || !isClosed(write)) return undefined;
        return { ...withJson(answered.reply, { labels: [] }), status: 200 };
      }),
    ],
  }),
  ...breaking('labels/listing-gives-public-labels', {
    'labels/listing-for-narrow-keys-is-empty': [
      'lists no labels to a key without scopes',
      inReply({ id: 'listLabels', ok: true, key: 'none' }, () => ({ labels: [] })),
    ],
  }),
];
