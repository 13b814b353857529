import type { Mock } from '../../../mock/index.ts';
import { asArray, errorWith, objectOf, replyWith, withProperties } from '../../../mock/proof/tampering/json-value.ts';
import { type Asked, as, instead, onReply, type Scene } from '../../../mock/proof/tampering/tamper.ts';
import { breaking, type Defect } from '../tampering/defect.ts';
import { carryOut, labelWriteOf } from '../tampering/label-write.ts';

/** Keys that a hook created. */
const isMade = ({ key }: Asked) => key?.name.startsWith('check-') ?? false;

/** Accepts a revoked key for this time, if `who` selects it. */
const outlives =
  (milliseconds: number, who: (asked: Asked) => boolean = () => true) =>
  (scene: Scene): Mock['handle'] => {
    /** The time at which each key was first seen as revoked. */
    const since = new Map<string, number>();
    return instead((asked) => {
      const { key, mock, request } = asked;
      if (!isMade(asked) || key?.revoked !== true || !who(asked)) return undefined;
      const at = since.get(key.id) ?? mock.clock.now();
      since.set(key.id, at);
      return mock.clock.now() - at <= milliseconds ? asked.ask(as(mock, request, key.tenant, key.scopes)) : undefined;
    })(scene);
  };

export const product: readonly Defect[] = [
  ...breaking('keys/revocation-is-immediate-and-listed', {
    'keys/revoked-lives-five-minutes': ['remembers for five minutes that a key is valid', outlives(300_000)],
    'keys/revoked-lives-100-ms': ['lets a key in for a tenth of a second after it was revoked', outlives(100)],
    'keys/revoked-still-reads-contexts': [
      'shows contexts to a key that was revoked a moment ago, and nothing else',
      outlives(60_000, ({ id }) => id === 'getConversationContext'),
    ],
    'keys/revoked-still-uploads': [
      'starts uploads for a key that was revoked a moment ago',
      outlives(60_000, ({ id }) => id === 'startSiteFileUpload'),
    ],
  }),
  ...breaking('auth/revoked-key-is-403', {
    'keys/revoked-still-labels': [
      'refuses a key that was revoked a moment ago, and applies its labels all the same',
      onReply((answered) => {
        if (!isMade(answered) || answered.key?.revoked !== true) return undefined;
        const write = labelWriteOf(answered);
        if (write === undefined) return undefined;
        carryOut(write);
        return { ...answered.reply, headers: { ...answered.reply.headers, 'x-done': '1' } };
      }),
    ],
  }),
  {
    id: 'keys/revoking-revokes-others',
    breaks: 'auth/key-in-x-api-key',
    does: 'refuses every key of a tenant for a second after one of them was revoked',
    around(scene) {
      let until = 0;
      const seen = new Set<string>();
      return instead((asked) => {
        const { mock, key } = asked;
        for (const one of mock.keysOf('acme'))
          if (one.revoked && one.name.startsWith('check-') && !seen.has(one.id)) {
            seen.add(one.id);
            until = mock.clock.now() + 1_000;
          }
        return key?.tenant === 'acme' && !key.revoked && mock.clock.now() < until
          ? errorWith(403, 'FORBIDDEN')
          : undefined;
      })(scene);
    },
  },
  ...breaking('keys/created-with-name-and-scopes', {
    'keys/new-key-has-every-scope': [
      'gives a new key every scope, whatever was chosen',
      instead((asked) =>
        isMade(asked) && asked.key?.revoked === false && !asked.request.headers['x-api-key']?.startsWith('shadow')
          ? asked.ask(as(asked.mock, asked.request, 'acme'))
          : undefined,
      ),
    ],
    'keys/new-key-lacks-uploads': [
      'forgets one of the scopes that were chosen for a key',
      instead((asked) =>
        isMade(asked) && !asked.key?.revoked && asked.id === 'startSiteFileUpload'
          ? errorWith(403, 'FORBIDDEN')
          : undefined,
      ),
    ],
  }),
  {
    id: 'keys/regenerated-does-not-work',
    breaks: 'keys/regeneration-issues-a-new-secret',
    does: 'lets the new secret of a regenerated key start no upload',
    around(scene) {
      const first = new Map<string, string>();
      return instead((asked) => {
        const { key, request } = asked;
        if (key === undefined || !isMade(asked) || key.revoked) return undefined;
        const secret = request.headers['x-api-key'] ?? '';
        const known = first.get(key.id) ?? secret;
        first.set(key.id, known);
        return known !== secret ? errorWith(403, 'FORBIDDEN') : undefined;
      })(scene);
    },
  },
  {
    id: 'keys/raised-limit-is-ignored',
    breaks: 'limiter/limits-can-be-raised',
    does: 'throttles a key whose limit was raised as if it had not been',
    around(scene) {
      let admitted = 0;
      return instead((asked) => {
        const limit = asked.key?.rateLimit;
        if (!isMade(asked) || limit === undefined || ++admitted <= 20) return undefined;
        const reply = replyWith(429, { message: 'Too Many Requests' });
        return { ...reply, headers: { ...reply.headers, 'retry-after': '1' } };
      })(scene);
    },
  },
  ...breaking('labels/private-never-in-a-reply', {
    'labels/private-inside-shows-once': [
      'shows a private label of a site in the replies to writes, once it was applied inside the product',
      onReply((answered) => {
        const write = labelWriteOf(answered);
        if (write?.on !== 'site' || !answered.ok) return undefined;
        const { labels } = write.tenant.records;
        const hidden = [...write.tenant.labelsOf(write.holder)].flatMap((id) => {
          const label = labels.get(id);
          return label?.name === 'payment-watchlist' ? [{ id: label.id, name: label.name }] : [];
        });
        if (hidden.length === 0) return undefined;
        return withProperties(answered.reply, { labels: [...asArray(objectOf(answered.reply).labels), ...hidden] });
      }),
    ],
  }),
  ...breaking('keys/secret-shown-only-once', {
    'keys/named-by-secret-in-refusals': [
      'names the key by its secret where a scope is missing',
      onReply(({ refused, request }) =>
        refused === 'missing-scope'
          ? errorWith(403, 'FORBIDDEN', `Key ${request.headers['x-api-key']} lacks a scope`)
          : undefined,
      ),
    ],
    'keys/secret-in-a-header': [
      'names the consumer of each reply by its secret, for logs',
      onReply(({ reply, key, request }) =>
        key === undefined
          ? undefined
          : { ...reply, headers: { ...reply.headers, 'x-consumer': request.headers['x-api-key'] ?? '' } },
      ),
    ],
    'keys/health-shows-the-last-key': [
      'shows in its health which key was used last',
      (scene) => {
        let last = '';
        return onReply(({ id, reply, ok, request }) => {
          const before = last;
          if (ok) last = request.headers['x-api-key'] ?? last;
          return id === 'getHealth' && ok && before !== '' ? withProperties(reply, { lastKey: before }) : undefined;
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
    product: (does, reached) => (hook, input) => {
      const output = does(hook, input) as { keys?: { state: string }[] } | undefined;
      if (hook !== 'listKeys') return output;
      reached();
      return { keys: output?.keys?.filter(({ state }) => state !== 'REVOKED') };
    },
  },
  {
    id: 'keys/revoked-not-marked',
    breaks: 'keys/revocation-is-immediate-and-listed',
    does: 'does not mark a revoked key in the list of keys',
    product: (does, reached) => (hook, input) => {
      const output = does(hook, input) as { keys?: { state: string }[] } | undefined;
      if (hook !== 'listKeys') return output;
      reached();
      return { keys: output?.keys?.map(({ state: _, ...key }) => key) };
    },
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
];
