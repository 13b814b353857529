import type { TargetTenant } from '../spec/files/target.ts';
import type { Deployment } from './target/deployment.ts';

/** Something labels can be put on. */
export type Holder =
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'site'; readonly id: string }
  | { readonly kind: 'link'; readonly clientId: string; readonly siteId: string };

/** What a check can need to know of the deployment, and where the target file says it. */
export interface Facts {
  readonly openConversation: string;
  readonly closedConversation: string;
  /** A site of the newer form, ovaid-. */
  readonly currentSite: string;
  readonly legacySite: string;
  /** Whichever site is given, a current one before a legacy one. */
  readonly site: string;
  readonly link: { readonly clientId: string; readonly siteId: string };
  readonly client: string;
  readonly privateLabel: { readonly id: string; readonly name?: string | undefined };
  /** A public label that nothing carries: the kit puts it on and takes it off, and so disturbs nobody. */
  readonly spareLabel: { readonly id: string; readonly name?: string | undefined };
  readonly strangerConversation: string;
  readonly strangerSite: string;
  readonly strangerLink: { readonly clientId: string; readonly siteId: string };
}

export type FactName = keyof Facts;

type Source<T> = {
  readonly field: string;
  readonly from: (tenant: TargetTenant) => T | undefined;
  readonly stranger?: true;
};

const sources: { readonly [Name in FactName]: Source<Facts[Name]> } = {
  openConversation: { field: 'conversations.open', from: (tenant) => tenant.conversations?.open },
  closedConversation: { field: 'conversations.closed', from: (tenant) => tenant.conversations?.closed },
  currentSite: { field: 'sites.current', from: (tenant) => tenant.sites?.current },
  legacySite: { field: 'sites.legacy', from: (tenant) => tenant.sites?.legacy },
  site: { field: 'sites.current', from: (tenant) => tenant.sites?.current ?? tenant.sites?.legacy },
  link: { field: 'clientSite', from: linkOf },
  client: { field: 'clientSite', from: (tenant) => tenant.clientSite?.client },
  privateLabel: { field: 'privateLabel', from: (tenant) => tenant.privateLabel },
  spareLabel: { field: 'spareLabel', from: (tenant) => tenant.spareLabel },
  strangerConversation: { field: 'conversations.open', from: (tenant) => tenant.conversations?.open, stranger: true },
  strangerSite: {
    field: 'sites.current',
    from: (tenant) => tenant.sites?.current ?? tenant.sites?.legacy,
    stranger: true,
  },
  strangerLink: { field: 'clientSite', from: linkOf, stranger: true },
};

/** The fact, or the field of the target file that would give it. */
export function factOf<Name extends FactName>(
  deployment: Deployment,
  name: Name,
): { readonly value: Facts[Name] } | { readonly missing: string } {
  const source: Source<Facts[Name]> = sources[name];
  const tenant = source.stranger ? deployment.stranger : deployment.tenant;
  const value = tenant && source.from(tenant);
  return value === undefined ? { missing: fieldOf(name) } : { value };
}

/** Where the target file says it: `tenants[0].sites.current`. */
export function fieldOf(name: FactName): string {
  const { stranger, field } = sources[name];
  return `tenants[${stranger ? 1 : 0}].${field}`;
}

function linkOf({ clientSite }: TargetTenant) {
  return clientSite && { clientId: clientSite.client, siteId: clientSite.site };
}
