import type { OperationId } from '../../spec/operations.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { counted } from '../counted.ts';
import { expectControl, expectStatus, expectSuccess, expectThat, statusOf } from '../expect.ts';
import { type Reply, succeeded } from '../reply.ts';
import { legalCall } from './legal-calls.ts';
import { compareShape, placesOf, type ValueShape } from './value-shape.ts';

const strings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'string' as const]));

const contacts: ValueShape = {
  arrayOf: { properties: { ...strings('id', 'value', 'label'), isPrimary: 'boolean', ext: 'number' } },
};

const client: Readonly<Record<string, ValueShape>> = {
  ...strings('id', 'name', 'firstName', 'lastName', 'partnerName', 'createdAt', 'updatedAt'),
  marketingOptOut: 'boolean',
  emails: contacts,
  phoneNumbers: contacts,
};

const site: Readonly<Record<string, ValueShape>> = {
  ...strings('id', 'address1', 'address2', 'city', 'state', 'zip', 'businessName', 'brandId', 'primaryClientId'),
  ...strings('createdAt', 'updatedAt'),
  sla: 'number',
  isMonitored: 'boolean',
  clients: { arrayOf: { properties: { ...client, isPrimary: 'boolean' } } },
};

/** The lawful request, sent once in a run for all that read its reply. */
const replyOf = ({ call, given, newId, shared }: CheckContext, id: OperationId): Promise<Reply> => {
  const legal = legalCall(id);
  return shared(`legal/${legal.slug}`, () => call(id, legal.options(given, newId)));
};

const named = (['getHealth', 'getConversation'] as const).map((id) => {
  const legal = legalCall(id);
  return check({
    id: `service/named/${legal.slug}`,
    rule: 'service/named-endpoints-exist',
    title: `${legal.slug} is served`,
    needs: legal.needs,
    uses: [id],
    async run(context) {
      expectSuccess(await replyOf(context, id), context.deployment, 'an endpoint that the specification names');
    },
  });
});

interface Details {
  readonly id: OperationId;
  readonly rule: 'service/conversation-record' | 'service/reference-endpoints';
  readonly fields: Readonly<Record<string, ValueShape>>;
  /** Of the fields, those that are said to be always there. */
  readonly always: readonly string[];
}

const details: readonly Details[] = [
  {
    id: 'getConversation',
    rule: 'service/conversation-record',
    fields: strings('id', 'friendlyId', 'subject', 'status', 'type', 'urgency', 'createdAt', 'updatedAt'),
    always: ['id', 'friendlyId', 'subject', 'status', 'type', 'urgency', 'createdAt', 'updatedAt'],
  },
  { id: 'getSite', rule: 'service/reference-endpoints', fields: site, always: ['id'] },
  {
    id: 'getClient',
    rule: 'service/reference-endpoints',
    fields: client,
    always: ['id', 'name', 'firstName', 'lastName', 'createdAt'],
  },
  { id: 'getHealth', rule: 'service/reference-endpoints', fields: strings('status'), always: ['status'] },
];

/** What is in the records that the specification names without showing them. */
const shown = details.map(({ id, rule, fields, always }) => {
  const legal = legalCall(id);
  return check({
    id: `${rule}/${legal.slug}`,
    rule,
    title: `what the reply of ${legal.slug} holds`,
    needs: legal.needs,
    uses: [id],
    async run(context) {
      const reply = await replyOf(context, id);
      if (legal.optional && reply.status === 404) {
        context.observe('this deployment has no such operation', { operations: { [id]: null } });
        expectStatus(reply, [200], legal.slug);
      }
      expectControl(reply, 'a lawful request');
      const found = [...compareShape(reply.json, { properties: fields })];
      context.observe(`answered ${reply.status}`, { operations: { [id]: { status: reply.status } } });
      for (const kind of ['absent', 'null', 'unknown'] as const) {
        const places = placesOf(found.filter((finding) => finding.kind === kind));
        if (places.length > 0) context.observe(`${kind}: ${places.join(', ')}`);
      }
      const wrong = found
        .filter(({ kind, place }) => kind === 'wrong' || (kind === 'absent' && always.includes(place)))
        .map(({ message }) => message);
      expectThat(reply, wrong.length === 0, `the fields ${always.join(', ')}`, wrong.slice(0, 3).join('; '));
      expectStatus(reply, [200], legal.slug);
    },
  });
});

/** Which scopes they need. */
const scoped = (
  [
    ['getConversation', 'conversation:read', 'service/conversation-record'],
    ['getSite', 'site:read', 'service/reference-endpoints'],
    ['getClient', 'client:read', 'service/reference-endpoints'],
  ] as const
).map(([id, scope, rule]) => {
  const legal = legalCall(id);
  return check({
    id: `${rule}/${legal.slug}-scope`,
    rule,
    title: `whether ${legal.slug} needs ${scope}`,
    needs: legal.needs,
    uses: [id],
    keys: { lacking: { lacks: scope } },
    async run(context) {
      expectControl(await replyOf(context, id), `the same request with ${scope}`);
      const options = legal.options(context.given, context.newId);
      const reply = await context.call(id, { ...options, as: context.keys.lacking });
      const scopes = succeeded(reply) ? [] : [scope];
      context.observe(`without ${scope}: ${reply.status}`, { operations: { [id]: { scopes } } });
      expectStatus(reply, [403], `${legal.slug} without ${scope}`);
    },
  });
});

const health = [
  check({
    id: 'service/reference-endpoints/health-is-ok',
    rule: 'service/reference-endpoints',
    title: 'health says that the status is ok',
    needs: legalCall('getHealth').needs,
    uses: ['getHealth'],
    async run(context) {
      const reply = await replyOf(context, 'getHealth');
      expectControl(reply, 'asking for health');
      const status = (reply.json as { status?: unknown } | null | undefined)?.status;
      context.observe(`status ${JSON.stringify(status) ?? 'is not there'}`);
      expectThat(reply, status === 'ok', 'status ok', statusOf(reply));
    },
  }),
  check({
    id: 'service/reference-endpoints/health-for-every-key',
    rule: 'service/reference-endpoints',
    title: 'health is answered whatever scopes a key has',
    needs: legalCall('getHealth').needs,
    uses: ['getHealth'],
    async run({ call, deployment: { tenant }, observe }) {
      const keys = tenant.keys.filter(({ revoked, use }) => !revoked && use === undefined);
      for (const key of keys) {
        const reply = await call('getHealth', { as: { ...key, tenant: tenant.name } });
        expectThat(reply, succeeded(reply), `health for key ${key.name}`, statusOf(reply));
      }
      observe(`answered to all of ${counted(keys.length, 'key')}`);
    },
  }),
];

/** The endpoints beside the six that are described: that the named ones are there, and what all of them answer. */
export const service: readonly Check[] = [...named, ...shown, ...scoped, ...health];
