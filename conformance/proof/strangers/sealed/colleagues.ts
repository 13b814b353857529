import { writing } from '../colleagues.ts';
import { about, any, colleague, link, open, saying, sharing, strangers } from '../stranger.ts';

export const colleagues = strangers({
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
  'label-renamed': [
    'renames the label warranty, after 22 s',
    (scene) => {
      const { clock } = scene.mock;
      const at = clock.now() + 22_000;
      return saying((body) => (clock.now() < at ? body : body.replaceAll('"warranty"', '"warranty (2 years)"')))(scene);
    },
  ],
  'full-key-1-rps': ['sends a request a second with the key full', sharing('full', 1)],
});
