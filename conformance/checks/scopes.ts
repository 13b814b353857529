import { type OperationId, operations, type Scope } from '../../spec/operations.ts';
import type { RuleId } from '../../spec/rules.ts';
import { type Check, type CheckContext, check } from '../check.ts';
import { expectControl, expectRefusal, expectStatus, expectThat, statusOf } from '../expect.ts';
import { membershipOf } from '../membership.ts';
import { type Reply, succeeded } from '../reply.ts';
import type { Deployment } from '../target/deployment.ts';
import { type KeyNeed, type KeyOfTenant, lacksScope } from '../target/keys.ts';
import { controlled, type LabelPlace, labelPlaces, legalCall } from './legal-calls.ts';
import { refusedLabelWrites } from './refused-label-writes.ts';

const [conversations, sites, links] = labelPlaces as readonly [LabelPlace, LabelPlace, LabelPlace];

/** The keys of the tenant under test that are for ordinary use. */
const usable = ({ tenant }: Deployment): KeyOfTenant[] =>
  tenant.keys
    .filter(({ revoked, use }) => !revoked && use === undefined)
    .map((key) => ({ ...key, tenant: tenant.name }));

/** A key without the scope, and with all others that the operation needs: only the one that is missing can refuse it. */
const keyWithout = (lacks: Scope, operation: OperationId): KeyNeed => ({
  lacks,
  scopes: operations[operation].scopes.filter((scope) => scope !== lacks),
});

const slugOf = (scope: Scope) => scope.replace(':', '-').replace('siteFile', 'site-file');

/** Operations that change no label and whose scope the specification names. */
const named = (
  [
    ['getConversationContext', 'conversation:read', 'scopes/context-needs-conversation-read'],
    ['startSiteFileUpload', 'siteFile:write', 'scopes/upload-needs-sitefile-write'],
  ] satisfies [OperationId, Scope, RuleId][]
).flatMap(([id, scope, rule]): Check[] => {
  const legal = legalCall(id);
  const shared = { needs: legal.needs, uses: [id], keys: { lacking: keyWithout(scope, id) } };
  return [
    check({
      ...shared,
      id: `scopes/${legal.slug}/without-${slugOf(scope)}`,
      rule,
      title: `no key without ${scope} gets through: ${operations[id].summary.toLowerCase()}`,
      async run(context) {
        await controlled(context, legal);
        for (const key of usable(context.deployment).filter((one) => lacksScope(one, scope))) {
          const reply = await context.call(id, { ...legal.options(context.given, context.newId), as: key });
          expectRefusal(reply, `key ${key.name} lacks ${scope}`);
        }
      },
    }),
    check({
      ...shared,
      id: `scopes/missing-is-403/${legal.slug}`,
      rule: 'scopes/missing-scope-is-403',
      title: `without ${scope} the reply is 403: ${operations[id].summary.toLowerCase()}`,
      async run(context) {
        await controlled(context, legal);
        const options = legal.options(context.given, context.newId);
        const reply = await context.call(id, { ...options, as: context.keys.lacking });
        expectStatus(reply, [403], `a key without ${scope}`);
      },
    }),
    check({
      id: `scopes/suffices/${legal.slug}`,
      rule: 'scopes/named-scopes-suffice',
      title: `${scope} suffices: ${operations[id].summary.toLowerCase()}`,
      needs: legal.needs,
      uses: [id],
      keys: { enough: { scopes: [scope] } },
      async run(context) {
        const options = legal.options(context.given, context.newId);
        expectEnough(await context.call(id, { ...options, as: leastKey(context, [scope]) }), [scope]);
      },
    }),
  ];
});

/** Label operations whose scopes the specification names: on a link it does so for removing alone. */
const namedOfLabels = (
  [
    [conversations, ['conversation:write'], 'scopes/conversation-labels-need-conversation-write', 'both'],
    [links, ['client:write', 'site:write'], 'scopes/link-remove-needs-both', 'remove'],
  ] satisfies [LabelPlace, Scope[], RuleId, 'both' | 'remove'][]
).flatMap(([place, scopes, rule, which]): Check[] => {
  const what = which === 'remove' ? `${place.slug}-label-remove` : `${place.slug}-labels`;
  const used = which === 'both' ? [place.apply, place.remove] : [place.remove];
  const shared = {
    needs: [place.fact, 'spareLabel'] as const,
    locks: [place.fact],
    writes: 'labels' as const,
  };
  return [
    ...scopes.flatMap((scope) => [
      check({
        ...shared,
        uses: used,
        id: `scopes/${what}/without-${slugOf(scope)}`,
        rule,
        title: `no key without ${scope} ${which === 'remove' ? 'removes' : 'applies or removes'} a label of a ${place.slug}`,
        keys: { lacking: keyWithout(scope, place.remove) },
        async run(context) {
          const { call, given, borrow } = context;
          const holder = place.holder(given);
          const { apply, remove, params } = membershipOf(holder, given.spareLabel.id);
          expectControl(await call(remove, { params }), 'removing, with the right key, a label that is not carried');
          if (which === 'both') await borrow(holder, given.spareLabel.id);
          for (const key of usable(context.deployment).filter((one) => lacksScope(one, scope))) {
            const why = `key ${key.name} lacks ${scope}`;
            if (which === 'both') expectRefusal(await call(apply, { params, as: key }), `applying: ${why}`);
            expectRefusal(await call(remove, { params, as: key }), `removing: ${why}`);
          }
        },
      }),
      check({
        ...shared,
        uses: [place.apply, place.remove, 'listLabels'],
        id: `scopes/missing-is-403/${what}/${slugOf(scope)}`,
        rule: 'scopes/missing-scope-is-403',
        title: `without ${scope} the reply is 403 and no label of a ${place.slug} changes`,
        keys: { lacking: keyWithout(scope, place.remove) },
        async run(context) {
          await refusedLabelWrites(context, place, {
            refused: { as: context.keys.lacking ?? null },
            expectRefused: (reply, doing) => expectStatus(reply, [403], `${doing} with a key without ${scope}`),
            ...(which === 'remove' && { only: 'remove' }),
          });
        },
      }),
    ]),
    check({
      ...shared,
      uses: used,
      id: `scopes/suffices/${what}`,
      rule: 'scopes/named-scopes-suffice',
      title: `${scopes.join(' and ')} suffice: ${which === 'remove' ? 'remove' : 'apply and remove'} a label of a ${place.slug}`,
      keys: { enough: { scopes } },
      async run(context) {
        const { call, given, borrow } = context;
        const holder = place.holder(given);
        const { apply, remove, params } = membershipOf(holder, given.spareLabel.id);
        const as = leastKey(context, scopes);
        expectEnough(await call(remove, { params, as }), scopes);
        if (which === 'remove') return;
        await borrow(holder, given.spareLabel.id);
        expectEnough(await call(apply, { params, as }), scopes);
      },
    }),
  ];
});

/** Of the keys that carry the scopes, the one with the fewest others. */
function leastKey({ deployment }: Pick<CheckContext, 'deployment'>, scopes: readonly Scope[]): KeyOfTenant {
  const [key] = usable(deployment)
    .filter((one) => scopes.every((scope) => one.scopes.includes(scope)))
    .sort((a, b) => a.scopes.length - b.scopes.length);
  if (key === undefined) throw new Error('a check was run without the key that it needs');
  return key;
}

function expectEnough(reply: Reply, scopes: readonly Scope[]): void {
  const refused = reply.status === 401 || reply.status === 403;
  expectThat(reply, !refused, `${scopes.join(' and ')} suffice`, `refused with ${reply.status}`);
  expectControl(reply, 'a lawful request');
}

/** Where the specification names no scope, whether the ones we assume are asked for is an observation. */
const unnamed = [
  ...(
    [
      [sites, ['site:write'], ['applySiteLabel', 'removeSiteLabel']],
      [links, ['client:write', 'site:write'], ['applyClientSiteLabel']],
    ] satisfies [LabelPlace, Scope[], OperationId[]][]
  ).map(([place, scopes, ids]) =>
    check({
      id: `scopes/unnamed/${place.slug}-labels`,
      rule: 'scopes/where-none-is-named',
      title: `whether labels of a ${place.slug} need ${scopes.join(' and ')}`,
      needs: [place.fact, 'spareLabel'],
      uses: [place.apply, place.remove],
      keys: Object.fromEntries(scopes.map((scope): [string, KeyNeed] => [scope, keyWithout(scope, place.apply)])),
      locks: [place.fact],
      writes: 'labels',
      async run(context) {
        const { call, given, borrow, keys } = context;
        const holder = place.holder(given);
        const { params } = membershipOf(holder, given.spareLabel.id);
        expectControl(
          await call(place.remove, { params }),
          'removing, with the right key, a label that is not carried',
        );
        await borrow(holder, given.spareLabel.id);
        for (const id of ids) {
          const tried: [Scope, Reply][] = [];
          for (const scope of scopes) tried.push([scope, await call(id, { params, as: keys[scope] ?? null })]);
          const unneeded = tried.filter(([, reply]) => succeeded(reply)).map(([scope]) => scope);
          observeNeed(context, id, unneeded);
          for (const [scope, reply] of tried) expectStatus(reply, [403], `${id} without ${scope}`);
        }
      },
    }),
  ),
  check({
    id: 'scopes/unnamed/file-register/without-site-file-write',
    rule: 'scopes/where-none-is-named',
    title: 'whether registering a file needs siteFile:write',
    needs: legalCall('registerSiteFile').needs,
    uses: ['registerSiteFile'],
    keys: { lacking: keyWithout('siteFile:write', 'registerSiteFile') },
    async run(context) {
      const legal = legalCall('registerSiteFile');
      await controlled(context, legal);
      const options = legal.options(context.given, context.newId);
      const reply = await context.call(legal.id, { ...options, as: context.keys.lacking });
      observeNeed(context, legal.id, reply.status === 403 ? [] : ['siteFile:write']);
      expectStatus(reply, [403], 'registering a file without siteFile:write');
    },
  }),
  check({
    id: 'scopes/unnamed/labels-list',
    rule: 'scopes/where-none-is-named',
    title: 'whether listing labels needs a scope',
    uses: ['listLabels'],
    async run(context) {
      const as = leastKey(context, []);
      const reply = await context.call('listLabels', { as });
      const none = succeeded(reply) && as.scopes.length === 0;
      context.observe(
        `with ${as.scopes.length === 0 ? 'no scope at all' : as.scopes.join(', ')}: ${succeeded(reply) ? 'served' : statusOf(reply)}`,
        none ? { operations: { listLabels: { scopes: [] } } } : undefined,
      );
      expectStatus(reply, [200], 'listing labels without a scope');
    },
  }),
];

function observeNeed(
  { observe, deployment }: Pick<CheckContext, 'observe' | 'deployment'>,
  id: OperationId,
  unneeded: readonly Scope[],
): void {
  const scopes = (deployment.operation(id)?.scopes ?? []).filter((scope) => !unneeded.includes(scope));
  observe(`${id} needs ${scopes.join(' and ') || 'no scope'}`, { operations: { [id]: { scopes } } });
}

/** Which scopes each operation needs, and that it needs no others. */
export const scopes: readonly Check[] = [...named, ...namedOfLabels, ...unnamed];
