import { expect, it } from 'vitest';
import { parseTarget } from '../../spec/files/target.ts';
import type { Reply } from '../reply.ts';
import { deploymentOf } from '../target/deployment.ts';
import { endpointReplies } from './endpoint-replies.ts';

const deployment = deploymentOf(
  parseTarget(
    {
      baseUrl: 'https://connect.example.com/partner',
      tenants: [{ name: 'acme', keys: [{ name: 'full', secret: 'secret' }] }],
      operations: { listLabels: { path: '/v1/tags.json' } },
    },
    {},
    'test',
  ),
);

const replyTo = (operationId: string, method: string, path: string): Reply =>
  ({ exchange: { operationId, method, url: `https://connect.example.com${path}` } }) as Reply;

it.each([
  ['an operation', replyTo('getSite', 'GET', '/partner/v1/site/7?include=all'), true],
  ['an operation at the path of the target file', replyTo('listLabels', 'GET', '/partner/v1/tags.json'), true],
  ['the path of the contract, where another is given', replyTo('listLabels', 'GET', '/partner/v1/labels'), false],
  ['a dot that is none', replyTo('listLabels', 'GET', '/partner/v1/tags-json'), false],
  ['another method', replyTo('getSite', 'PATCH', '/partner/v1/site/7'), false],
  ['a path below', replyTo('getSite', 'GET', '/partner/v1/site/7/files'), false],
  ['an empty parameter', replyTo('getSite', 'GET', '/partner/v1/site/'), false],
  ['a path that is not below baseUrl', replyTo('getSite', 'GET', '/v1/site/7'), false],
  ['the storage', replyTo('storage', 'PUT', '/partner/v1/site/7'), false],
])('%s', (_, reply, expected) => {
  expect(endpointReplies([reply], deployment)).toEqual(expected ? [reply] : []);
});
