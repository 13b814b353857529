import { asArray, objectOf, withProperties } from '../../../mock/wrong/tampering/json-value.ts';
import { shared } from '../../../mock/wrong/tampering/limiters.ts';
import { onReplyTo } from '../../../mock/wrong/tampering/when.ts';
import { type Around, about, any, colleague, current, open, strangers } from './stranger.ts';

/** Somebody writes a message in some conversations at each of these seconds. */
export const writing =
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

const busy = 'a key is used by somebody else';
const notes = ['Put the spare label on it.', 'Why is second spare here?', 'vip, warranty and spare are wrong.'];

/** Other people and jobs. The specification does not say that a run is alone, and labels are put on inside the product as well. */
export const colleagues = strangers({
  'label-on-open': ['puts a label on the open conversation, after 12 s', colleague('after-hours', open, [12])],
  'label-off-open': ['takes a label off the open conversation, after 17 s', colleague('warranty', open, [-1, 17])],
  'label-on-site': [
    'puts a label on the site, after 14 s, and off after 31',
    colleague('parts-on-order', current, [14, 31]),
  ],
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
  'notes-on-labels': ['write of labels, every 10 s or so', writing(open, about(10), (i) => notes[i % 3] ?? '')],
  'full-key-3-rps': ['sends three requests a second with the key full', shared(1, 333, 'full'), busy],
  'limits-key-3-rps': ['sends three requests a second with the key of the limiter', shared(1, 333, 'limits'), busy],
});
