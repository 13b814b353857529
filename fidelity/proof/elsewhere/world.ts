/** What the deployments written elsewhere hold, and the target file that describes it. */

import { type Scope, scopes } from '../../../spec/operations.ts';

const uuid = (kind: string, n: number) =>
  `${kind}0000000`.slice(0, 8).concat(`-3b1d-4e5f-9a6c-0000000000${String(n).padStart(2, '0')}`);

/** How labels on a client-site link are found. */
export const linkKey = (person: string, home: string): string => `${person} at ${home}`;

const everything: readonly Scope[] = scopes.filter((scope) => scope !== 'user:read');

function partner(name: string, from: number, legacy: string) {
  const id = (kind: string, n: number) => uuid(kind, from + n);
  const secret = (n: number) => `${name}-elsewhere-secret-${from}${n}-3f9c1a77b0`;
  const person = (n: number, first: string, last: string) => ({
    id: `ovcid-${id('c1', n)}`,
    first,
    last,
    phone: `+1 555 010 ${from}${n}`,
    mail: `${first}@${name}.example`,
  });
  const home = (one: string, street: string, city: string) => ({ id: one, street, city, level: 'standard' });
  const [current, other] = [`ovaid-${id('51', 1)}`, `ovaid-${id('51', 2)}`];
  const [ada, max] = [person(1, 'Ada', 'Berg'), person(2, 'Max', 'Kern')];
  const talk = (n: number, subject: string, isClosed: boolean) => ({
    id: id('70', n),
    number: `T-${from}${n}`,
    subject,
    isClosed,
    person: ada.id,
    home: current,
    said: ['The heating is cold.', 'A technician comes on Monday.'],
  });
  const label = (n: number, own: string, isPrivate = false) => ({ id: id('1a', n), name: `${own}-${name}`, isPrivate });
  return {
    name,
    keys: [
      { name: 'full', secret: secret(1), scopes: everything },
      { name: 'limits', secret: secret(2), scopes: ['conversation:read', 'site:write'], use: 'limits' },
      { name: 'none', secret: secret(3), scopes: [] },
      { name: 'reader', secret: secret(4), scopes: ['conversation:read', 'site:read', 'client:read'] },
      { name: 'labeller', secret: secret(5), scopes: ['conversation:write', 'site:write', 'client:write'] },
      { name: 'old', secret: secret(6), scopes: everything, revoked: true },
    ],
    labels: [
      label(1, 'urgent-visit'),
      label(2, 'spare-tag'),
      label(3, 'second-spare-tag'),
      label(9, 'hidden-risk-mark', true),
    ],
    people: [ada, max],
    homes: [
      home(current, '1 Mill Lane', 'Reno'),
      home(other, '7 Hill Road', 'Reno'),
      home(legacy, '9 Old Street', 'Boise'),
    ],
    talks: [talk(1, 'No heat', false), talk(2, 'Leaking tap', true)],
    links: [
      [ada.id, current],
      [ada.id, other],
      [max.id, legacy],
    ] as const,
    /** By holder: the names of labels that it has from the start. */
    carried: {
      [id('70', 1)]: [`urgent-visit-${name}`, `hidden-risk-mark-${name}`],
      [current]: [`urgent-visit-${name}`],
    } as Readonly<Record<string, readonly string[]>>,
  };
}

export type Partner = ReturnType<typeof partner>;
export type Label = Omit<Partner['labels'][number], 'isPrivate'>;
export type Person = Partner['people'][number];
export type Home = Partner['homes'][number];
export type Talk = Partner['talks'][number];

export const partners: readonly Partner[] = [partner('northwind', 10, '48811'), partner('contoso', 50, '48899')];

/** The target file of such a deployment. */
export const targetOf = (baseUrl: string, operations: object): object => ({
  baseUrl,
  operations,
  tenants: partners.map(({ name, keys, labels, talks, homes, links }) => {
    const [, spare, second, hidden] = labels;
    const [first, another] = links;
    return {
      name,
      keys: keys.map(({ use, revoked, ...key }) => ({ ...key, ...(use && { use }), ...(revoked && { revoked }) })),
      conversations: { open: talks[0]?.id, closed: talks[1]?.id },
      sites: { current: homes[0]?.id, legacy: homes[2]?.id },
      clientSite: { client: first?.[0], site: first?.[1] },
      otherClientSite: { client: another?.[0], site: another?.[1] },
      spareLabel: { id: spare?.id, name: spare?.name },
      spareLabels: [{ id: second?.id, name: second?.name }],
      privateLabels: [{ id: hidden?.id, name: hidden?.name, on: ['conversations.open'] }],
    };
  }),
});
