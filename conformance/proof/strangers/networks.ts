import { seededRandom } from '../../../spec/random.ts';
import { type Around, during, inFront, page, strangers } from './stranger.ts';

type Random = () => number;
const lost = 'a request that is lost again and again proves nothing';
const far = (latency: (random: Random) => number, drops?: (random: Random) => boolean) => ({
  network: { latency, ...(drops && { drops }) },
});
export const random =
  (make: (random: Random) => Around): Around =>
  (scene) =>
    make(seededRandom(7))(scene);

/** Networks, near and far. Latencies are one way. */
export const networks = strangers({
  'other-continent': ['is 300 ms away, there and back', far((random) => 145 + 10 * random())],
  satellite: ['is 1.3 s away, there and back', far((random) => 630 + 40 * random())],
  mobile: ['takes 100 to 800 ms, and at times 1.5 s more', far((r) => 50 + 350 * r() ** 3 + (r() < 0.02 ? 1_500 : 0))],
  lossy: [
    'loses one connection in fifty',
    far(
      (random) => 30 + 20 * random(),
      (random) => random() < 0.02,
    ),
  ],
  'very-lossy': [
    'loses one connection in fifteen',
    far(
      (r) => 60 + 60 * r(),
      (r) => r() < 1 / 15,
    ),
    lost,
  ],
  queues: ['takes 4 s more one time in forty', far((random) => 25 + (random() < 1 / 80 ? 4_000 : 0))],
  'never-answered': [
    'answers one request in three hundred after half a minute',
    far((r) => 20 + (r() < 1 / 600 ? 31_000 : 0)),
    lost,
  ],
  'company-proxy': [
    'is behind a proxy that says 502 one time in eighty',
    random((chance) => inFront([() => chance() < 1 / 80, page(502, 'squid')])),
  ],
  'cut-off': ['is cut off for 8 s, after 23 s', during([23], 8, 'close')],
});
