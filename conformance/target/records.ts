import type { TargetTenant } from '../../spec/files/target.ts';
import { perObject } from '../per-object.ts';
import type { Deployment } from './deployment.ts';
import { type Holder, holderKey } from './holder.ts';

/** A holder of labels that the target file names. */
export interface KnownHolder {
  /** Part of the ids of scripts, so it never changes. */
  readonly slug: 'open-conversation' | 'closed-conversation' | 'current-site' | 'legacy-site' | 'link' | 'other-link';
  readonly words: string;
  /** Field of a tenant in the target file. */
  readonly field: string;
  readonly tenant: string;
  readonly holder: Holder;
}

const kinds = [
  {
    slug: 'open-conversation',
    words: 'the open conversation',
    field: 'conversations.open',
    from: ({ conversations }: TargetTenant) => conversationOf(conversations?.open),
  },
  {
    slug: 'closed-conversation',
    words: 'the closed conversation',
    field: 'conversations.closed',
    from: ({ conversations }: TargetTenant) => conversationOf(conversations?.closed),
  },
  {
    slug: 'current-site',
    words: 'the site',
    field: 'sites.current',
    from: ({ sites }: TargetTenant) => siteOf(sites?.current),
  },
  {
    slug: 'legacy-site',
    words: 'the legacy site',
    field: 'sites.legacy',
    from: ({ sites }: TargetTenant) => siteOf(sites?.legacy),
  },
  {
    slug: 'link',
    words: 'the client-site link',
    field: 'clientSite',
    from: ({ clientSite }: TargetTenant) => linkOf(clientSite),
  },
  {
    slug: 'other-link',
    words: 'the other client-site link',
    field: 'otherClientSite',
    from: ({ otherClientSite }: TargetTenant) => linkOf(otherClientSite),
  },
] as const;

const conversationOf = (id: string | undefined): Holder | undefined =>
  id === undefined ? undefined : { kind: 'conversation', id };
const siteOf = (id: string | undefined): Holder | undefined => (id === undefined ? undefined : { kind: 'site', id });
const linkOf = (link: TargetTenant['clientSite']): Holder | undefined =>
  link && { kind: 'link', clientId: link.client, siteId: link.site };

/** Every holder of this tenant that the target file names, in a fixed order. */
export function holdersOf(tenant: TargetTenant): KnownHolder[] {
  return kinds.flatMap(({ slug, words, field, from }) => {
    const holder = from(tenant);
    return holder === undefined ? [] : [{ slug, words, field, tenant: tenant.name, holder }];
  });
}

/** Fields of holders that the target file leaves out: `tenants[0].sites.legacy`. */
export function missingHolders(
  tenant: TargetTenant,
  index: number,
): { readonly slug: string; readonly field: string }[] {
  return kinds.flatMap(({ slug, field, from }) =>
    slug !== 'other-link' && from(tenant) === undefined ? [{ slug, field: `tenants[${index}].${field}` }] : [],
  );
}

/** The tenant under test, and the other one if the target file names one. */
export const tenantsOf = ({ tenant, stranger }: Pick<Deployment, 'tenant' | 'stranger'>): readonly TargetTenant[] =>
  stranger === undefined ? [tenant] : [tenant, stranger];

const keyInAnyCase = (holder: Holder) => holderKey(holder).toLowerCase();

const knownHolders = perObject((deployment: Deployment) =>
  Map.groupBy(tenantsOf(deployment).flatMap(holdersOf), (known) => keyInAnyCase(known.holder)),
);

/** The known holder with these ids, in any letter case; that of the preferred tenant where both tenants have one. */
export function knownHolder(deployment: Deployment, holder: Holder, preferred?: string) {
  const found = knownHolders(deployment).get(keyInAnyCase(holder)) ?? [];
  return found.find((known) => known.tenant === preferred) ?? found[0];
}

export interface NamedLabel {
  readonly id: string;
  readonly name?: string | undefined;
}

/** Public labels that no record of this tenant carries, each once. */
export const sparesOf = ({ spareLabel, spareLabels = [] }: TargetTenant): NamedLabel[] => [
  ...new Map([...(spareLabel ? [spareLabel] : []), ...spareLabels].map((one) => [one.id.toLowerCase(), one])).values(),
];

interface PrivateLabel extends NamedLabel {
  /** Fields of the records that carry the label: `conversations.open`. */
  readonly on: readonly string[];
  /** Whether `on` names all records of the target file that carry the label. */
  readonly complete: boolean;
}

/** The private labels of this tenant, without duplicates. */
export function privatesOf({ privateLabel, privateLabels = [] }: TargetTenant): PrivateLabel[] {
  const found = new Map<string, PrivateLabel>();
  for (const { on, ...label } of privateLabels)
    found.set(label.id.toLowerCase(), { ...label, on: on ?? [], complete: on !== undefined });
  if (privateLabel !== undefined) {
    const { on = [], complete = false } = found.get(privateLabel.id.toLowerCase()) ?? {};
    const all = [...new Set(['conversations.open', ...on])];
    found.set(privateLabel.id.toLowerCase(), { ...privateLabel, on: all, complete });
  }
  return [...found.values()];
}

/**
 * What the target file lacks for private labels to be written. Where it is not known which records carry one, a change could not be undone.
 */
export function missingPrivates(tenant: TargetTenant): readonly string[] {
  if (privatesOf(tenant).some(({ on, complete }) => complete || on.length > 0)) return [];
  const unnamed = (tenant.privateLabels ?? []).map((_, index) => `tenants[0].privateLabels[${index}].on`);
  return unnamed.length > 0 ? unnamed : ['tenants[0].privateLabel'];
}

/** Whether this is a spare label of the tenant. Other labels that a run writes are private or made up, so refusing to remove them is right. */
export const isSpare = (tenant: TargetTenant, label: string): boolean =>
  sparesOf(tenant).some(({ id }) => id.toLowerCase() === label.toLowerCase());
