import type { Mock } from '../../../mock/index.ts';
import { asArray, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, instead, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { doneAnyway, labelWriteOf, privateLabelsOf } from '../tampering/label-write.ts';
import { lacksScope } from '../tampering/predicates.ts';
import { inReply, onReplyTo, refusing, servedAs } from '../tampering/when.ts';

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

/** Changes the list of keys that a hook shows. */
const listing =
  (change: (keys: readonly { readonly state: string }[]) => readonly object[]): Defect['product'] =>
  (does, reached) =>
  (hook, input) => {
    const output = does(hook, input);
    if (hook !== 'listKeys') return output;
    reached();
    return { keys: change((output as { keys: { state: string }[] }).keys) };
  };

export const product: readonly Defect[] = [
  ...breaking('keys/revocation-is-immediate-and-listed', {
    'keys/revoked-lives-100-ms': ['lets a key in for a tenth of a second after it was revoked', outlives(100)],
    'keys/revoked-still-reads-contexts': [
      'shows contexts to a key that was revoked a moment ago, and nothing else',
      outlives(60_000, 'getConversationContext'),
    ],
    'keys/revoked-still-uploads': [
      'starts uploads for a key that was revoked a moment ago',
      outlives(60_000, 'startSiteFileUpload'),
    ],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'keys/revoked-still-labels': [
      'refuses a key that was revoked a moment ago, and applies its labels all the same',
      doneAnyway({ refused: 'revoked-key', where: isMade }),
    ],
  }),
  ...breaking('auth/key-in-x-api-key', {
    'keys/revoking-revokes-others': [
      'refuses every key of a tenant for a second after one of them was revoked',
      (scene) => {
        let until = 0;
        const seen = new Set<string>();
        const isPunished = ({ mock }: Asked) => {
          for (const { id, name, revoked } of mock.keysOf('acme')) {
            if (!revoked || !name.startsWith('check-') || seen.has(id)) continue;
            seen.add(id);
            until = mock.clock.now() + 1_000;
          }
          return mock.clock.now() < until;
        };
        return refusing({ tenant: 'acme', usable: true, where: isPunished }, 403)(scene);
      },
    ],
  }),
  ...breaking('keys/created-with-name-and-scopes', {
    'keys/new-key-has-every-scope': [
      'gives a new key every scope, whatever was chosen',
      servedAs('acme', { usable: true, secret: /^(?!shadow)/, where: (asked) => isMade(asked) && lacksScope(asked) }),
    ],
    'keys/new-key-lacks-uploads': [
      'forgets one of the scopes that were chosen for a key',
      refusing({ id: 'startSiteFileUpload', usable: true, where: isMade }, 403),
    ],
  }),
  ...breaking('keys/regeneration-issues-a-new-secret', {
    'keys/regenerated-does-not-work': [
      'lets the new secret of a regenerated key start no upload',
      (scene) => {
        const first = new Map<string | undefined, string>();
        const isNew = (asked: Asked) => {
          const secret = asked.request.headers['x-api-key'] ?? '';
          if (isMade(asked) && !first.has(asked.key?.id)) first.set(asked.key?.id, secret);
          return isMade(asked) && first.get(asked.key?.id) !== secret;
        };
        return refusing({ usable: true, where: isNew }, 403)(scene);
      },
    ],
  }),
  {
    id: 'keys/raised-limit-is-ignored',
    breaks: 'limiter/limits-can-be-raised',
    does: 'throttles a key whose limit was raised as if it had not been',
    product: (does, reached) => (hook, input) => {
      if (hook !== 'raiseLimit') return does(hook, input);
      reached();
      return undefined;
    },
  },
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-inside-shows-once': [
      'shows a private label of a site in the replies to writes, once it was applied inside the product',
      inReply({ id: ['applySiteLabel', 'removeSiteLabel'], ok: true }, ({ labels }, answered) => {
        const write = labelWriteOf(answered);
        const inside = privateLabelsOf(answered.mock, write?.tenant.name ?? '').filter(
          ({ id, name }) =>
            name === 'payment-watchlist' && write && [...write.tenant.labelsOf(write.holder)].includes(id),
        );
        return { labels: [...asArray(labels), ...inside] };
      }),
    ],
  }),
  ...breaking('keys/secret-shown-only-once', {
    'keys/named-by-secret-in-refusals': [
      'names the key by its secret where a scope is missing',
      inReply({ refused: 'missing-scope' }, (_, { request: { headers } }) => ({
        error: { code: 'FORBIDDEN', message: `Key ${headers['x-api-key']} lacks a scope` },
      })),
    ],
    'keys/secret-in-a-header': [
      'names the consumer of each reply by its secret, for logs',
      onReplyTo({ where: ({ key }) => key }, ({ reply, request }) => ({
        ...reply,
        headers: { ...reply.headers, 'x-consumer': request.headers['x-api-key'] ?? '' },
      })),
    ],
    'keys/health-shows-the-last-key': [
      'shows in its health which key was used last',
      (scene) => {
        let last = '';
        return onReplyTo({ ok: true }, ({ id, reply, request }) => {
          const before = last;
          last = request.headers['x-api-key'] ?? last;
          return id === 'getHealth' && before !== '' ? withProperties(reply, { lastKey: before }) : undefined;
        })(scene);
      },
    ],
  }),
  {
    id: 'keys/listed-with-their-secrets',
    breaks: 'keys/secret-shown-only-once',
    does: 'always shows every secret in the list of keys',
    product: (does, reached) => {
      const secrets = new Map<string, unknown>();
      return (hook, input) => {
        const output = does(hook, input) as { id?: string; secret?: unknown; keys?: { id: string }[] } | undefined;
        if (output?.secret !== undefined) secrets.set(String(output.id), output.secret);
        if (hook !== 'listKeys') return output;
        reached();
        return { keys: output?.keys?.map((key) => ({ ...key, secret: secrets.get(key.id) })) };
      };
    },
  },
  {
    id: 'keys/revoked-leave-the-list',
    breaks: 'keys/revocation-is-immediate-and-listed',
    does: 'takes a revoked key out of the list of keys',
    product: listing((keys) => keys.filter(({ state }) => state !== 'REVOKED')),
  },
  {
    id: 'keys/revoked-not-marked',
    breaks: 'keys/revocation-is-immediate-and-listed',
    does: 'does not mark a revoked key in the list of keys',
    product: listing((keys) => keys.map(({ state: _, ...key }) => key)),
  },
  {
    id: 'keys/regenerated-with-the-same-secret',
    breaks: 'keys/regeneration-issues-a-new-secret',
    does: 'regenerates a key to the secret that it has',
    product: (does, reached) => {
      const secrets = new Map<string, unknown>();
      return (hook, input) => {
        if (hook === 'regenerateKey') {
          reached();
          return { secret: secrets.get(String(input.id)) };
        }
        const output = does(hook, input) as { id?: string; secret?: unknown } | undefined;
        if (hook === 'createKey') secrets.set(String(output?.id), output?.secret);
        return output;
      };
    },
  },
  {
    id: 'limiter/last-use-forgotten',
    breaks: 'keys/revocation-is-immediate-and-listed',
    does: 'does not note when a key was last used, which the portal alone shows',
    survives: true,
    around:
      ({ handle, mock, reached }) =>
      async (request, trace) => {
        const reply = await handle(request, trace);
        const key = mock.keys.recognise(request.headers['x-api-key'] ?? '');
        if (key === undefined || key.lastUsedAt === null) return reply;
        key.lastUsedAt = null;
        reached();
        return reply;
      },
  },
];
