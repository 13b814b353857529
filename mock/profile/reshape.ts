import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import type { Profile } from '../../spec/files/profile-schema.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { PublicLabel, Tenant } from '../store/tenant.ts';
import { changedBody } from './body-changes.ts';

/** Gives the body of a successful reply the shape of the deployment. */
export type Reshape = (id: OperationId, body: unknown, tenant: Tenant, url: string) => unknown;

type Shapes = NonNullable<Profile['shapes']>;
type LabelsInReply = NonNullable<Shapes['conversationLabels']>;
interface WithLabels {
  readonly labels: readonly PublicLabel[];
}
type Reshapes = Partial<Record<OperationId, (body: WithLabels, tenant: Tenant, url: string) => unknown>>;

/**
 * The reshaping of a profile; null if the shapes are those of the contract.
 * @throws ConfigurationError if the id and the name of a label have the same property
 */
export function reshapeFor(shapes: Shapes = {}, bodies: Profile['bodies'] = {}): Reshape | null {
  if (Object.keys(shapes).length + Object.keys(bodies).length === 0) return null;
  const { id = 'id', name = 'name' } = shapes.label ?? {};
  if (id === name) throw new ConfigurationError([`profile: shapes.label: id and name must be different properties`]);
  const record = (label: PublicLabel) => ({ [id]: label.id, [name]: label.name });
  const forms = { records: record, ids: ({ id }: PublicLabel) => id, names: ({ name }: PublicLabel) => name };
  const labelled =
    ({ at = 'labels', items = 'records' }: LabelsInReply = {}) =>
    ({ labels, ...rest }: WithLabels) =>
      put(rest, at, labels.map<unknown>(forms[items]));

  const conversation = labelled(shapes.conversationLabels);
  const clientSite = labelled(shapes.clientSiteLabels);
  // The specification gives the shape of a site's label set. Only the shape of a label in it is open.
  const site = labelled();
  const reshapes: Reshapes = {
    listLabels: inPages(labelled(shapes.labelList), shapes.labelList?.pages),
    applyConversationLabel: conversation,
    removeConversationLabel: conversation,
    applySiteLabel: site,
    removeSiteLabel: site,
    applyClientSiteLabel: clientSite,
    removeClientSiteLabel: clientSite,
    ...(shapes.contextLabels === 'ids' && { getConversationContext: withLabelIds }),
  };
  return (id, body, tenant, url) => {
    const shaped = reshapes[id]?.(body as WithLabels, tenant, url) ?? body;
    const changes = bodies[id];
    return changes === undefined ? shaped : changedBody(shaped, changes);
  };
}

/** Puts a value at a path such as `a.b`. An empty path makes it the whole reply. */
function put(rest: object, at: string, value: unknown): unknown {
  if (at === '') return value;
  const [first = '', ...deeper] = at.split('.');
  const beside = (rest as Readonly<Record<string, unknown>>)[first];
  const inner = typeof beside === 'object' && beside !== null ? beside : {};
  return { ...rest, [first]: deeper.length === 0 ? value : put(inner, deeper.join('.'), value) };
}

/** The page of a list that a query asks for, with what leads to the next one. */
function inPages(whole: (body: WithLabels) => unknown, pages: NonNullable<Shapes['labelList']>['pages']) {
  if (pages === undefined) return whole;
  const { size, next, as, parameter } = pages;
  return ({ labels, ...rest }: WithLabels, _: Tenant, url: string) => {
    const asked = Number(/\d+/.exec(new URL(url, 'http://mock').searchParams.get(parameter) ?? '')?.[0] ?? Number.NaN);
    const from = Number.isNaN(asked) ? 0 : as === 'page' ? (asked - 1) * size : asked;
    const later = from + size;
    const ways = {
      link: `${url.replace(/\?.*$/s, '')}?${parameter}=${later}`,
      offset: later,
      page: later / size + 1,
      cursor: `after-${later}`,
    };
    const page = whole({ ...rest, labels: labels.slice(from, later) }) as object;
    return put(page, next, later < labels.length ? ways[as] : null);
  };
}

/** Replaces label names in a context by ids. Names are unique within a tenant. */
function withLabelIds(body: unknown, tenant: Tenant): unknown {
  const { labels, ...rest } = body as { labels: readonly string[] };
  const ids = new Map([...tenant.records.publicLabels.values()].map(({ id, name }) => [name, id]));
  return { ...rest, labels: labels.flatMap((name) => ids.get(name) ?? []) };
}
