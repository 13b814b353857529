import type { TargetTenant } from '../../spec/files/target.ts';
import type { Deployment } from './deployment.ts';
import { type Holder, holderKey } from './holder.ts';

/** The holders of labels that a target file may name: their part of the ids of scripts, which never changes, words, field of a tenant, and id. */
const kinds = [
  ['open-conversation', 'the open conversation', 'conversations.open', (t) => conversation(t.conversations?.open)],
  [
    'closed-conversation',
    'the closed conversation',
    'conversations.closed',
    (t) => conversation(t.conversations?.closed),
  ],
  ['current-site', 'the site', 'sites.current', (t) => site(t.sites?.current)],
  ['legacy-site', 'the legacy site', 'sites.legacy', (t) => site(t.sites?.legacy)],
  ['link', 'the client-site link', 'clientSite', (t) => link(t.clientSite)],
  ['other-link', 'the other client-site link', 'otherClientSite', (t) => link(t.otherClientSite)],
] as const satisfies readonly (readonly [string, string, string, (tenant: TargetTenant) => Holder | undefined])[];

const conversation = (id?: string): Holder | undefined => (id === undefined ? undefined : { kind: 'conversation', id });
const site = (id?: string): Holder | undefined => (id === undefined ? undefined : { kind: 'site', id });
const link = (ids: TargetTenant['clientSite']): Holder | undefined =>
  ids && { kind: 'link', clientId: ids.client, siteId: ids.site };

/** A holder of labels that the target file names. */
export type KnownHolder = ReturnType<typeof holdersOf>[number];

/** Every holder of this tenant that the target file names, in a fixed order. */
export const holdersOf = (tenant: TargetTenant) =>
  kinds.flatMap(([slug, words, field, from]) => {
    const holder = from(tenant);
    return holder === undefined ? [] : [{ slug, words, field, tenant: tenant.name, holder }];
  });

/** Fields of holders that the target file leaves out: `tenants[0].sites.legacy`. */
export const missingHolders = (tenant: TargetTenant, index: number) =>
  kinds.flatMap(([slug, , field, from]) =>
    slug !== 'other-link' && from(tenant) === undefined ? [{ slug, field: `tenants[${index}].${field}` }] : [],
  );

/** The tenant under test, and the other one if the target file names one. */
export const tenantsOf = ({ tenant, stranger }: Pick<Deployment, 'tenant' | 'stranger'>): readonly TargetTenant[] =>
  stranger === undefined ? [tenant] : [tenant, stranger];

const keyInAnyCase = (holder: Holder) => holderKey(holder).toLowerCase();

/** The known holder with these ids, in any letter case; that of the preferred tenant where both tenants have one. */
export function knownHolder(deployment: Deployment, holder: Holder, preferred?: string) {
  const all = tenantsOf(deployment).flatMap(holdersOf);
  const found = all.filter((known) => keyInAnyCase(known.holder) === keyInAnyCase(holder));
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
