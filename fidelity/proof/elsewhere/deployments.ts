/** Ten deployments: four that are built in different ways, each with choices of its own where the specification is silent. */
import { operationList } from '../../../spec/operations.ts';
import { type Choices, type Kind, record } from './base.ts';
import { documents, events, graph, tables } from './kinds.ts';

interface Written {
  readonly name: string;
  readonly kind: Kind;
  readonly choices?: Partial<Choices>;
}

const withPlurals: Choices['operations'] = Object.fromEntries(
  operationList
    .filter(({ path }) => path.includes('/label/'))
    .map(({ id, path }) => [id, { path: path.replace('/label/', '/labels/') }]),
);

const titled: Choices['item'] = ({ id, name }) => ({ labelId: id, title: name });
const coloured: Choices['item'] = ({ id, name }) => ({ id, name, colour: 'grey' });

export const deployments: readonly Written[] = [
  { name: 'tables, as assumed', kind: tables },
  {
    name: 'tables, plural paths and a wrapper',
    kind: tables,
    choices: {
      operations: withPlurals,
      listed: (labels) => ({ data: labels.map(record) }),
      carried: (labels) => ({ data: labels.map(record) }),
      headers: { 'cache-control': 'no-store' },
    },
  },
  {
    name: 'tables, other words',
    kind: tables,
    choices: {
      refusals: {
        key: [403, 'InvalidKey'],
        scope: [403, 'MissingScope'],
        record: [404, 'RecordNotFound'],
        label: [404, 'LabelNotFound'],
        id: [422, 'InvalidId'],
        content: [422, 'InvalidBody'],
        early: [409, 'NotUploaded'],
      },
      registered: 200,
    },
  },
  { name: 'events, as assumed', kind: events },
  {
    name: 'events, names alone',
    kind: events,
    choices: {
      item: titled,
      listed: (labels) => ({ labels: labels.map(titled) }),
      carried: (labels) => ({ labels: labels.map(({ id }) => id) }),
      refusals: { label: [422, 'UNPROCESSABLE_ENTITY'], twice: [422, 'UNPROCESSABLE_ENTITY'] },
    },
  },
  {
    name: 'events, bare lists',
    kind: events,
    choices: {
      listed: (labels) => labels.map(record),
      carried: (labels) => labels.map(({ name }) => name),
      stored: 204,
      retryAfter: () => 3,
    },
  },
  {
    name: 'documents behind a gateway',
    kind: documents,
    choices: { gateway: () => ({ message: 'Forbidden' }), headers: { 'cache-control': 'no-cache' } },
  },
  {
    name: 'documents, other statuses',
    kind: documents,
    choices: {
      gateway: () => ({ message: 'Forbidden' }),
      refusals: {
        label: [403, 'FORBIDDEN'],
        path: [404, 'ROUTE_NOT_FOUND'],
        json: [400, 'MALFORMED'],
        early: [404, 'NOT_FOUND'],
      },
      stored: 204,
    },
  },
  { name: 'a graph, as assumed', kind: graph },
  {
    name: 'a graph, richer records',
    kind: graph,
    choices: {
      item: coloured,
      listed: (labels) => ({
        labels: labels.map(coloured),
        total: labels.length,
      }),
      carried: (labels, holder) => ({
        ...holder,
        labels: labels.map(coloured),
        count: labels.length,
      }),
      refusals: { scope: [403, 'INSUFFICIENT_SCOPE'], large: [413, 'TOO_BIG'] },
    },
  },
];
