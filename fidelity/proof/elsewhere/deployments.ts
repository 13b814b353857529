/** Ten deployments: four that are built in different ways, each with choices of its own where the specification is silent. */
import { operationList } from '../../../spec/operations.ts';
import { type Choices, type Service, usual } from './base.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { graph } from './graph.ts';
import { tables } from './tables.ts';

interface Written {
  readonly name: string;
  readonly make: (choices: Choices) => Service;
  readonly choices: Choices;
}

const withPlurals: Choices['operations'] = Object.fromEntries(
  operationList
    .filter(({ path }) => path.includes('/label/'))
    .map(({ id, path }) => [id, { path: path.replace('/label/', '/labels/') }]),
);

const titled: Choices['item'] = ({ id, name }) => ({ labelId: id, title: name });
const coloured: Choices['item'] = ({ id, name }) => ({ id, name, colour: 'grey' });

export const deployments: readonly Written[] = [
  { name: 'tables, as assumed', make: tables, choices: usual },
  {
    name: 'tables, plural paths and a wrapper',
    make: tables,
    choices: {
      ...usual,
      operations: withPlurals,
      listed: (labels) => ({ data: labels.map(({ id, name }) => ({ id, name })) }),
      carried: (labels) => ({ data: labels.map(({ id, name }) => ({ id, name })) }),
      headers: { 'cache-control': 'no-store' },
    },
  },
  {
    name: 'tables, other words',
    make: tables,
    choices: {
      ...usual,
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
  { name: 'events, as assumed', make: events, choices: usual },
  {
    name: 'events, names alone',
    make: events,
    choices: {
      ...usual,
      item: titled,
      listed: (labels) => ({ labels: labels.map(titled) }),
      carried: (labels) => ({ labels: labels.map(({ id }) => id) }),
      refusals: { label: [422, 'UNPROCESSABLE_ENTITY'], twice: [422, 'UNPROCESSABLE_ENTITY'] },
    },
  },
  {
    name: 'events, bare lists',
    make: events,
    choices: {
      ...usual,
      listed: (labels) => labels.map(({ id, name }) => ({ id, name })),
      carried: (labels) => labels.map(({ name }) => name),
      stored: 204,
      retryAfter: () => 3,
    },
  },
  {
    name: 'documents behind a gateway',
    make: documents,
    choices: { ...usual, gateway: () => ({ message: 'Forbidden' }), headers: { 'cache-control': 'no-cache' } },
  },
  {
    name: 'documents, other statuses',
    make: documents,
    choices: {
      ...usual,
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
  { name: 'a graph, as assumed', make: graph, choices: usual },
  {
    name: 'a graph, richer records',
    make: graph,
    choices: {
      ...usual,
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
