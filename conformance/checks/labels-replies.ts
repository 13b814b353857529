import type { RuleId } from '../../spec/rules.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectSuccess, expectThat } from '../expect.ts';
import { type Reply, valuesOf } from '../reply.ts';
import { labelHolders } from './label-holders.ts';
import { type LabelScene, labelScene } from './label-scene.ts';
import { holderWords, writing } from './labels-membership.ts';

/** Every label that other replies have shown on this holder must stand in this one. */
function expectWhole(reply: Reply, scene: LabelScene, shown: readonly string[], why: string): void {
  const there = scene.others(reply);
  const lacking = shown.filter((id) => !there.includes(id));
  expectThat(reply, lacking.length === 0, `${why}: every public label carried`, `${lacking.join(', ')} not among them`);
}

const applyRules: Readonly<Record<string, RuleId>> = {
  applyConversationLabel: 'labels/conversation-apply',
  applySiteLabel: 'labels/site-apply',
};

/** Replies to applying, where the specification tells what they hold. */
const afterApply = labelHolders.flatMap((place) => {
  const rule = applyRules[place.apply];
  if (rule === undefined) return [];
  return check({
    ...writing(place),
    id: `labels/apply-reply/${place.slug}`,
    rule,
    title: `applying a label to ${holderWords(place)} is answered with every public label that it then carries`,
    async run(context) {
      const scene = await labelScene(context, place);
      await scene.borrow();
      const reply = await scene.apply();
      expectSuccess(reply, context.deployment, 'applying a public label');
      const why = 'the reply to applying';
      expectThat(reply, scene.times(reply) > 0, `${why} has the label`, 'it does not');
      const before = scene.before === null ? [] : scene.others(scene.before);
      expectWhole(reply, scene, [...before, ...scene.told], why);
      if (place.apply === 'applySiteLabel') {
        const { method } = context.deployment.operation(place.apply) ?? {};
        expectThat(reply, method === 'PUT', 'labels are applied to a site by PUT', `by ${method}`);
      }
    },
  });
});

const removeRules: Readonly<Record<string, RuleId>> = {
  removeConversationLabel: 'labels/conversation-remove',
  removeClientSiteLabel: 'labels/link-remove',
};

const afterRemove = labelHolders.flatMap((place) => {
  const rule = removeRules[place.remove];
  if (rule === undefined) return [];
  return check({
    ...writing(place),
    id: `labels/remove-reply/${place.slug}`,
    rule,
    title: `removing a label from ${holderWords(place)} is answered with every public label that it then carries`,
    async run(context) {
      const scene = await labelScene(context, place);
      const applied = await scene.carried();
      const reply = await scene.remove();
      expectSuccess(reply, context.deployment, 'removing a label that is carried');
      const why = 'the reply to removing';
      expectThat(reply, holdsArray(reply), `${why} has the set of labels`, 'there is no list in it');
      expectThat(reply, scene.times(reply) === 0, `${why} does not have the label`, 'it does');
      expectWhole(reply, scene, scene.others(applied), why);
    },
  });
});

const holdsArray = ({ json }: Reply) => [...valuesOf(json)].some(([, value]) => Array.isArray(value));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function siteSetProblem(json: unknown): string | null {
  if (!isObject(json)) return 'it is not an object';
  if (typeof json.siteId !== 'string') return json.siteId === undefined ? 'no siteId' : 'siteId is not a string';
  if (!Array.isArray(json.labels)) return json.labels === undefined ? 'no labels' : 'labels is not an array';
  return json.labels.every(isObject) ? null : 'an item of labels is not an object';
}

const siteSets = labelHolders
  .filter(({ apply }) => apply === 'applySiteLabel')
  .map((place) =>
    check({
      ...writing(place),
      id: `labels/site-set/${place.slug}`,
      rule: 'labels/site-label-set',
      title: `the label set of ${holderWords(place)} is an object with siteId and labels`,
      async run(context) {
        const reply = await (await labelScene(context, place)).carried();
        const problem = siteSetProblem(reply.json);
        expectThat(reply, problem === null, 'an object with siteId, a string, and labels, objects', problem ?? '');
      },
    }),
  );

/** Where in the reply the array stands that holds the label, and what each of its items is. */
function placeOf(reply: Reply, label: { id: string; name?: string | undefined }): LabelsPlace | null {
  let found: LabelsPlace | null = null;
  for (const [path, value] of valuesOf(reply.json)) {
    if (!Array.isArray(value) || path.some((step) => typeof step === 'number')) continue;
    for (const item of value) {
      if (item === label.id) found = { at: path.join('.'), items: 'ids' };
      else if (item === label.name) found = { at: path.join('.'), items: 'names' };
      else if (isObject(item)) {
        const id = Object.keys(item).find((name) => item[name] === label.id);
        const name = Object.keys(item).find((name) => item[name] === label.name);
        if (id !== undefined) found = { at: path.join('.'), items: 'records', record: { id, ...(name && { name }) } };
      }
    }
  }
  return found;
}

interface LabelsPlace {
  readonly at: string;
  readonly items: 'ids' | 'names' | 'records';
  readonly record?: { readonly id: string; readonly name?: string };
}

const sections: Readonly<Record<string, 'conversationLabels' | 'clientSiteLabels'>> = {
  'open-conversation': 'conversationLabels',
  link: 'clientSiteLabels',
};

/** How this deployment spells all this: questions only, answered for its profile. */
const spelling = labelHolders
  .filter(({ slug }) => slug in sections || slug === 'current-site')
  .map((place) =>
    check({
      ...writing(place),
      id: `labels/spelling/${place.slug}`,
      rule: 'labels/paths-and-methods',
      title: `how labels are put on and taken off ${holderWords(place)}`,
      async run(context) {
        const scene = await labelScene(context, place);
        const applied = await scene.carried();
        const removed = await scene.remove();
        expectControl(removed, 'removing the label');
        const spelt = [place.apply, place.remove].map((id) => context.deployment.operation(id));
        const ways = spelt.map((operation) => `${operation?.method} ${operation?.path}`).join(', ');
        const found = placeOf(applied, context.given.spareLabel);
        const { at, items } = found ?? {};
        const words =
          found === null
            ? 'the label was not found in the reply'
            : `labels ${at === '' ? 'are the body' : `at ${at}`}, ${items}`;
        const section = sections[place.slug];
        context.observe(`${ways}; applying ${applied.status}, removing ${removed.status}; ${words}`, {
          operations: {
            [place.apply]: { status: applied.status },
            [place.remove]: { status: removed.status },
          },
          ...(found && section && { shapes: { [section]: { at: found.at, items: found.items } } }),
        });
        expectThat(applied, at === 'labels' && items === 'records', 'labels: records', words);
      },
    }),
  );

const record = labelHolders
  .filter(({ slug }) => slug === 'open-conversation')
  .map((place) =>
    check({
      ...writing(place),
      id: 'labels/record',
      rule: 'labels/record-is-id-and-name',
      title: 'the fields of a label record and the order of labels',
      async run(context) {
        const list: Reply = await context.shared('label-reader/labels', () => context.call('listLabels'));
        expectControl(list, 'listing the labels');
        observeRecord(context, list);
      },
    }),
  );

function observeRecord({ observe, given }: CheckContext, list: Reply): void {
  const found = placeOf(list, given.spareLabel);
  const fields = [...valuesOf(list.json)].find(
    ([, value]) => isObject(value) && Object.values(value).includes(given.spareLabel.id),
  )?.[1];
  const names = isObject(fields) ? Object.keys(fields) : [];
  const sorted = inOrder(list, found);
  const answer = `a label is ${names.length > 0 ? `{${names.join(', ')}}` : (found?.items ?? 'not found')}, ${sorted ? 'listed by name' : 'listed in another order'}`;
  observe(answer, {
    shapes: { ...(found?.record && { label: found.record }), ...(found && { labelList: { at: found.at } }) },
  });
  const same = found?.record?.id === 'id' && (found.record.name ?? 'name') === 'name' && names.length <= 2;
  expectThat(list, same && sorted, 'labels of id and name, by name', answer);
}

/** By name, then id: whichever alphabet is meant, nobody is held to one letter against another of a different case. */
function inOrder({ json }: Reply, place: LabelsPlace | null): boolean {
  const array = [...valuesOf(json)].find(([path]) => path.join('.') === place?.at)?.[1];
  const property = place?.record?.name;
  if (!Array.isArray(array) || property === undefined) return true;
  const names = array.map((item) => String(isObject(item) ? item[property] : item).toLowerCase());
  return names.every((name, i) => i === 0 || (names[i - 1] ?? '').localeCompare(name) <= 0);
}

/** What replies about labels hold. */
export const labelsReplies: readonly Check[] = [...afterApply, ...afterRemove, ...siteSets, ...spelling, ...record];
