import type { HookName } from '../../../spec/files/hooks.ts';
import type { Mock } from '../../in-process.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { asArray } from '../tampering/json-value.ts';
import { labelWriteOf, privateLabelsOf } from '../tampering/label-write.ts';
import { elsewhere, lacksScope } from '../tampering/predicates.ts';
import { type Asked, as, instead, type Scene } from '../tampering/tamper.ts';
import { inReply, onReplyTo, refusing, servedAfterAll, servedAs } from '../tampering/when.ts';

/** Keys that a hook created. */
const isMade = ({ key }: Asked) => key?.name.startsWith('check-') ?? false;

/** Accepts a revoked key for this time, for all operations or for one. */
const outlives =
  (milliseconds: number, id?: Asked['id']) =>
  (scene: Scene): Mock['handle'] => {
    /** The time at which each key was first seen as revoked. */
    const since = new Map<string, number>();
    return instead((asked) => {
      const { key, mock, request } = asked;
      if (!isMade(asked) || key?.revoked !== true || (id && asked.id !== id)) return undefined;
      const at = since.get(key.id) ?? mock.clock.now();
      since.set(key.id, at);
      return mock.clock.now() - at <= milliseconds ? asked.ask(as(mock, request, key.tenant, key.scopes)) : undefined;
    })(scene);
  };

type Output = { readonly id?: string; readonly secret?: unknown; readonly keys?: readonly { readonly id: string }[] };

/** Changes what a hook shows; all but the list of keys then do nothing. @param change knows the first secret of each key */
const hooked = (
  id: string,
  rule: Defect['rule'],
  hook: HookName,
  change: (output: Output, secretOf: (id: unknown) => unknown, input: Readonly<Record<string, string>>) => unknown,
): Defect => ({
  id,
  rule,
  does: id.replace('keys/', 'has keys ').replaceAll('-', ' '),
  product: (does, reached) => {
    const secrets = new Map<unknown, unknown>();
    return (called, input) => {
      const isDone = called !== hook || hook === 'listKeys';
      const output = isDone ? does(called, input) : undefined;
      const shown = (output ?? {}) as Output;
      if (called === 'createKey') secrets.set(shown.id, shown.secret);
      if (called !== hook) return output;
      reached();
      return change(shown, (key) => secrets.get(key), input);
    };
  },
});

/** The life of keys, and what only the product shows. */
export const product: readonly Defect[] = [
  ...breaking('keys/revocation-is-immediate-and-listed', {
    'keys/revoked-lives-100-ms': outlives(100),
    'keys/revoked-still-reads-contexts': outlives(60_000, 'getConversationContext'),
  }),
  ...breaking('isolation/reads-stay-in-tenant', {
    'isolation/made-keys-of-every-tenant': servedAfterAll('the other', { refused: elsewhere, where: isMade }),
  }),
  ...breaking('limiter/over-the-rate-is-429', {
    'limiter/made-keys-have-no-limit': servedAs('its own', { id: 'listLabels', usable: true, where: isMade }),
  }),
  hooked('keys/revoked-leave-the-list', 'keys/revocation-is-immediate-and-listed', 'listKeys', ({ keys = [] }) => ({
    keys: keys.filter((key) => !('state' in key && key.state === 'REVOKED')),
  })),
  hooked('keys/listed-with-their-secrets', 'keys/secret-shown-only-once', 'listKeys', ({ keys = [] }, secretOf) => ({
    keys: keys.map((key) => ({ ...key, secret: secretOf(key.id) })),
  })),
  hooked(
    'keys/regenerated-with-the-same-secret',
    'keys/regeneration-issues-a-new-secret',
    'regenerateKey',
    (_, secretOf, { id }) => ({ secret: secretOf(id) }),
  ),
  hooked(
    'keys/regenerated-with-a-secret-that-never-works',
    'keys/regeneration-issues-a-new-secret',
    'regenerateKey',
    (_, secretOf, { id }) => ({ secret: `${secretOf(id)}-renewed` }),
  ),
  ...breaking('keys/created-with-name-and-scopes', {
    'keys/new-key-has-every-scope': servedAs('acme', {
      usable: true,
      secret: /^(?!shadow)/,
      where: (asked) => isMade(asked) && lacksScope(asked),
    }),
    'keys/new-key-lacks-uploads': refusing({ id: 'startSiteFileUpload', usable: true, where: isMade }, 403),
  }),
  hooked('keys/raised-limit-is-ignored', 'limiter/limits-can-be-raised', 'raiseLimit', () => undefined),
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-inside-shows-once': [
      'shows a private label of a site in the replies to writes, once it was applied inside the product',
      inReply({ id: ['applySiteLabel', 'removeSiteLabel'], ok: true }, ({ labels }, answered) => {
        const write = labelWriteOf(answered);
        const carried = write ? [...write.tenant.labelsOf(write.holder)] : [];
        const inside = privateLabelsOf(answered.mock, write?.tenant.name ?? '').filter(
          ({ id, name }) => name === 'payment-watchlist' && carried.includes(id),
        );
        return { labels: [...asArray(labels), ...inside] };
      }),
    ],
  }),
  ...breaking('keys/secret-shown-only-once', {
    'keys/named-by-secret-in-refusals': inReply({ refused: 'missing-scope' }, (_, { request: { headers } }) => ({
      error: { code: 'FORBIDDEN', message: `Key ${headers['x-api-key']} lacks a scope` },
    })),
    'keys/secret-in-a-header': onReplyTo({ where: ({ key }) => key }, ({ reply, request }) => ({
      ...reply,
      headers: { ...reply.headers, 'x-consumer': request.headers['x-api-key'] ?? '' },
    })),
  }),
];
