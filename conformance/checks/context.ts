import type { RuleId } from '../../spec/rules.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectSuccess, expectThat } from '../expect.ts';
import type { FactName, Facts } from '../facts.ts';
import { membershipOf } from '../membership.ts';
import { Inconclusive } from '../outcome.ts';
import { hasValue, type Reply } from '../reply.ts';
import { compareShape, placesOf, type ValueShape } from './value-shape.ts';

const strings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'string' as const]));

/** The documented fields, under the rule that each belongs to. */
const fieldsByRule = {
  'context/strings': strings('subject', 'status', 'type', 'urgency', 'requester'),
  'context/labels-are-strings': { labels: { arrayOf: 'string' } },
  'context/messages': {
    messages: {
      arrayOf: {
        properties: {
          ...strings('author', 'role', 'createdAt', 'text', 'rawBody'),
          isInternal: 'boolean',
          attachments: { arrayOf: { properties: strings('type', 'title', 'content', 'transcriptionId') } },
        },
      },
    },
  },
  'context/participants': {
    participants: {
      properties: {
        agents: { arrayOf: 'string' },
        clients: { arrayOf: { properties: strings('name', 'primaryPhoneNumber', 'primaryEmail') } },
      },
    },
  },
  'context/sites': {
    sites: {
      arrayOf: {
        properties: {
          ...strings('address', 'serviceLevel', 'id'),
          associatedConversations: {
            arrayOf: {
              properties: strings(
                'friendlyId',
                'subject',
                'status',
                'statusLastUpdatedAt',
                'issue',
                'resolution',
                'shortSummary',
              ),
            },
          },
        },
      },
    },
  },
} as const satisfies Partial<Record<RuleId, Readonly<Record<string, ValueShape>>>>;

const whole = { properties: Object.assign({}, ...Object.values(fieldsByRule)) as Readonly<Record<string, ValueShape>> };

interface Sample {
  readonly slug: string;
  readonly fact: FactName;
  readonly id: (given: Facts) => string;
}

/** Open and closed conversations hold different things. */
const samples: readonly Sample[] = [
  { slug: 'open', fact: 'openConversation', id: ({ openConversation }) => openConversation },
  { slug: 'closed', fact: 'closedConversation', id: ({ closedConversation }) => closedConversation },
];

/** The context of a sample, read once in a run for all checks of its fields. */
const contextOf = async ({ call, given, shared }: CheckContext, { slug, id }: Sample): Promise<Reply> =>
  shared(`context/${slug}`, () => call('getConversationContext', { params: { id: id(given) } }));

const isObject = ({ json }: Reply) => typeof json === 'object' && json !== null && !Array.isArray(json);

const ofSamples = samples.flatMap((sample): Check[] => [
  check({
    id: `context/get/${sample.slug}`,
    rule: 'context/get-answers-context',
    title: `a GET without a body answers the context of the ${sample.slug} conversation, an object`,
    needs: [sample.fact],
    uses: ['getConversationContext'],
    async run(context) {
      const reply = await contextOf(context, sample);
      expectSuccess(reply, context.deployment, 'a conversation of the tenant has a context');
      // No field is required, so an empty object may be the context of a bare conversation; one of other fields is none.
      if (!reply.planned && isObject(reply) && Object.keys(Object(reply.json)).length === 0) {
        throw new Inconclusive(
          `the context of the ${sample.slug} conversation is an empty object: give one that has more`,
        );
      }
      const some = Object.keys(whole.properties).some((name) => Object.hasOwn(Object(reply.json), name));
      expectThat(reply, some, 'an object, a context', 'none of its documented fields is there');
    },
  }),
  ...(Object.keys(fieldsByRule) as (keyof typeof fieldsByRule)[]).map((rule) =>
    check({
      id: `${rule}/${sample.slug}`,
      rule,
      title: `${Object.keys(fieldsByRule[rule]).join(', ')} of the ${sample.slug} conversation's context: types at every depth`,
      needs: [sample.fact],
      uses: ['getConversationContext'],
      async run(context) {
        const reply = await contextOf(context, sample);
        expectControl(reply, 'reading the context');
        const found = [...compareShape(reply.json, { properties: fieldsByRule[rule] })];
        const wrong = found.filter(({ kind }) => kind === 'wrong').map(({ message }) => message);
        expectThat(reply, wrong.length === 0, 'fields of the documented types', wrong.slice(0, 3).join('; '));
        const absent = found.filter(({ kind, place }) => kind === 'absent' && Object.hasOwn(fieldsByRule[rule], place));
        if (absent.length > 0) context.observe(`not there, so not judged: ${placesOf(absent).join(', ')}`);
      },
    }),
  ),
  check({
    id: `context/any-field-may-be-absent/${sample.slug}`,
    rule: 'context/any-field-may-be-absent',
    title: `which fields the ${sample.slug} conversation's context has, and whether those without a value are null`,
    needs: [sample.fact],
    uses: ['getConversationContext'],
    async run(context) {
      const reply = await contextOf(context, sample);
      expectControl(reply, 'reading the context');
      const found = [...compareShape(reply.json, whole)];
      for (const kind of ['absent', 'null', 'unknown'] as const) {
        const places = placesOf(found.filter((finding) => finding.kind === kind));
        context.observe(`${kind}: ${places.join(', ') || 'none'}`);
      }
      const nulls = found.filter(({ kind }) => kind === 'null');
      expectThat(reply, nulls.length === 0, 'what has no value left out', `null: ${placesOf(nulls).join(', ')}`);
    },
  }),
]);

const notTheRecord = check({
  id: 'context/get/not-the-record',
  rule: 'context/get-answers-context',
  title: 'what is answered is not the record of the conversation in place of its context',
  needs: ['openConversation'],
  uses: ['getConversationContext', 'getConversation'],
  async run({ call, given }) {
    const params = { id: given.openConversation };
    const reply = await call('getConversationContext', { params });
    const record = await call('getConversation', { params });
    expectControl(reply, 'reading the context');
    const same = isObject(record) && Object.keys(Object(record.json)).length > 2 && record.text === reply.text;
    expectThat(reply, !same, 'a context', 'the very reply of GET /v1/conversation/{id}');
  },
});

const labelsAreNames = check({
  id: 'context/labels-are-names/open',
  rule: 'context/labels-are-names',
  title: 'whether the labels of a context are names or ids',
  needs: ['openConversation', 'spareLabel'],
  uses: ['getConversationContext', 'applyConversationLabel', 'removeConversationLabel'],
  locks: ['openConversation'],
  writes: 'labels',
  async run({ call, given, borrow, observe }) {
    const { spareLabel } = given;
    const holder = { kind: 'conversation', id: given.openConversation } as const;
    const { apply, remove, params } = membershipOf(holder, spareLabel.id);
    expectControl(await call(remove, { params }), 'removing a label that is not carried');
    await borrow(holder, spareLabel.id);
    expectControl(await call(apply, { params }), 'applying a label');
    const reply = await call('getConversationContext', { params: { id: given.openConversation } });
    expectControl(reply, 'reading the context');
    const labels = (reply.json as { labels?: unknown } | null | undefined)?.labels;
    const has = (text: string | undefined) => text !== undefined && hasValue({ ...reply, json: labels }, text);
    if (has(spareLabel.name)) observe('names', { shapes: { contextLabels: 'names' } });
    else if (has(spareLabel.id)) observe('ids', { shapes: { contextLabels: 'ids' } });
    else observe('neither the id nor the name of a label just applied is among them');
    expectThat(reply, has(spareLabel.name), 'names of labels', JSON.stringify(labels) ?? 'no labels');
  },
});

/** What a context holds: types of what is there, at every depth. Nothing is required, and more is fine. */
export const context: readonly Check[] = [...ofSamples, notTheRecord, labelsAreNames];
