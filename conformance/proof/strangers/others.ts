import type { Around } from '../../../mock/wrong/tampering/defect.ts';
import { asArray, errorWith, objectOf, withProperties } from '../../../mock/wrong/tampering/json-value.ts';
import { shared } from '../../../mock/wrong/tampering/limiters.ts';
import { type Asked, as } from '../../../mock/wrong/tampering/tamper.ts';
import { onReplyTo } from '../../../mock/wrong/tampering/when.ts';
import { about, any, colleague, during, inFront, link, message, open, saying, strangers } from './stranger.ts';

const forbidden = message(403, 'Forbidden');
const named =
  (name: RegExp, tenant = 'acme') =>
  ({ key }: Asked) =>
    key?.tenant === tenant && name.test(key.name);
const hasKey = ({ request }: Asked) => request.headers['x-api-key'];

/** Refuses secrets that were not there at the beginning for some seconds after their first use. */
const newOnesUnknown =
  (seconds: number, isMeant = () => true): Around =>
  (scene) => {
    const { clock, keys: ring } = scene.mock;
    const before = new Map(ring.list().map(({ id, hash }) => [id, hash]));
    const first = new Map<string, number>();
    return inFront([
      ({ key }) => {
        const isShadow = key?.name.startsWith('shadow-');
        if (!key || key.revoked || isShadow || before.get(key.id) === key.hash || !isMeant()) return;
        first.set(key.hash, first.get(key.hash) ?? clock.now());
        return clock.now() < (first.get(key.hash) ?? 0) + seconds * 1e3;
      },
      forbidden,
    ])(scene);
  };

/** How keys reach gateways. The specification says that revoking works at once, and nothing of when new keys, secrets and limits do. */
export const keys = strangers({
  'no-keys-but-health': [
    'cannot read its keys for 5 s, after 22 and 52 s: 401 in the error body, but for health, which looks at no key',
    during(
      [22, 52],
      5,
      () => errorWith(401, 'UNAUTHENTICATED'),
      (asked) => hasKey(asked) && asked.id !== 'getHealth',
    ),
  ],
  'full-key-lost': ['loses the key full for 3 s, after 18 and 44 s', during([18, 44], 3, forbidden, named(/^full$/))],
  'new-secrets': ['knows a new key or secret only 4 s after its first use', newOnesUnknown(4)],
  'half-of-the-gateways': [
    'has two gateways, one of which knows a new key or secret only after 6 s',
    (scene) => {
      let turn = 0;
      return newOnesUnknown(6, () => turn++ % 2 === 0)(scene);
    },
  ],
  'tenant-lost': ['loses all keys of globex for 5 s, after 25 s', during([25], 5, forbidden, named(/./, 'globex'))],
  // "Rotation: regenerate the key, deploy the new secret, then discard the old value."
  'old-secrets': [
    'takes the old secret of a regenerated key for 20 s more',
    ({ mock, handle, reached }) => {
      const [owners, since] = [new Map<string, string>(), new Map<string, number>()];
      return async (request, trace) => {
        const secret = request.headers['x-api-key'] ?? '';
        const known = mock.keys.recognise(secret);
        if (known) owners.set(secret, known.id);
        const key = mock.keys.list().find((one) => one.id === owners.get(secret) && !one.revoked);
        if (known || !key) return handle(request, trace);
        since.set(secret, since.get(secret) ?? mock.clock.now());
        if (mock.clock.now() > (since.get(secret) ?? 0) + 20_000) return handle(request, trace);
        reached();
        return handle(as(mock, request, key.tenant, key.scopes), trace);
      };
    },
  ],
  'scopes-lost': [
    'reads the scopes of narrow keys anew for 4 s, after 16 s, and allows them nothing',
    during([16], 4, () => errorWith(403, 'FORBIDDEN', 'Operation not allowed'), named(/^only-|^links$/)),
  ],
});

/** Somebody writes a message in some conversations at each of these seconds. */
const writing =
  (id: RegExp, at: readonly number[], words: (i: number) => string): Around =>
  (scene) => {
    const { clock } = scene.mock;
    const since = clock.now();
    const where = ({ params }: { params: { id?: string } }) => id.test(params.id ?? '');
    return onReplyTo({ id: 'getConversationContext', ok: true, where }, ({ reply }) => {
      const written = at.filter((one) => clock.now() >= since + one * 1e3);
      const messages = written.map((one, i) => ({
        ...{ author: 'Dana Whitfield', role: 'client', isInternal: false, attachments: [] },
        ...{ createdAt: new Date(since + one * 1e3).toISOString(), text: words(i), rawBody: words(i) },
      }));
      return withProperties(reply, { messages: [...asArray(objectOf(reply).messages), ...messages] });
    })(scene);
  };

/** Somebody renames a label, and back, in turn, at these seconds. */
const renaming =
  (name: string, at: readonly number[]): Around =>
  (scene) => {
    const { clock } = scene.mock;
    const since = clock.now();
    const isRenamed = () => at.filter((one) => since + one * 1e3 <= clock.now()).length % 2 === 1;
    return saying((body) => (isRenamed() ? body.replaceAll(`"${name}"`, `"${name} (keep)"`) : body))(scene);
  };

const busy = 'a key is used by somebody else';

/** Other people and jobs. The specification does not say that a run is alone, and labels are put on inside the product as well. */
export const colleagues = strangers({
  'label-off-open': ['takes a label off the open conversation, after 17 s', colleague('warranty', open, [-1, 17])],
  'full-key-1-rps': ['sends a request a second with the key full', shared(1, 1_000, 'full')],
  'label-on-open': ['puts a label on the open conversation, after 12 s', colleague('after-hours', open, [12])],
  'job-on-all': [
    'labels all records, and takes it off, every 20 s or so',
    colleague('gate code needed', any, about(20)),
  ],
  'spare-label': [
    'puts the spare label on the open conversation, after 20 s, and takes it off after 29 s',
    colleague('spare', open, [20, 29]),
    'the label that is kept for the run is used by somebody else',
  ],
  'private-inside': [
    'puts a private label on all records inside the product, and takes it off, every 8 s or so',
    colleague('payment-watchlist', any, about(8)),
    'a private label of the target file moves',
  ],
  'people-write': [
    'write in the open conversation, every 4 s or so',
    writing(open, about(4), (i) => `I have waited for ${i} minutes now.`),
  ],
  'full-key-3-rps': ['sends three requests a second with the key full', shared(1, 333, 'full'), busy],
  'limits-key-3-rps': ['sends three requests a second with the key of the limiter', shared(1, 333, 'limits'), busy],
  'label-on-link': ['puts a label on the link, after 16 s', colleague('estimate-sent', link, [16])],
  'often-on-open': [
    'labels the open conversation, and takes it off, every 3 s or so',
    colleague('parts-on-order', open, about(3)),
    'the record hardly ever rests',
  ],
  'same-words': [
    'write the same in all conversations, every 7 s or so',
    writing(any, about(7), () => 'This is a reminder: your appointment is tomorrow between 9 and 11.'),
  ],
  'label-renamed': ['renames the label warranty, after 22 s', renaming('warranty', [22])],
  'spare-renamed-often': [
    'renames the spare label, and back, every 9 s or so',
    renaming('spare', about(9)),
    'the label that is kept for the run is used by somebody else',
  ],
});
