/** Bodies around the limit of 10 MB, beside small ones that pass. */
import { type Change, may, must } from '../contract/request.ts';
import { asks } from '../contract/uploads.ts';
import type { Bench } from '../experiments/bench.ts';
import { succeeded, type Trial } from '../history/exchange.ts';
import type { Generate } from './script.ts';
import { passes, sitesOf, start, starting, uploadersOf } from './upload-steps.ts';

/** The limit means 10,000,000 or 10,485,760 bytes: one is below both, the other above. */
const [below, above] = [9_900_000, 11 * 1024 * 1024];
/** Rounds of a trial, each with megabytes. */
const rounds = 3;

/** A start, padded with white space to this size: the JSON has the same meaning, and a start stores nothing. */
function padded(size: number, type: string): Uint8Array {
  const bytes = new Uint8Array(size).fill(0x20);
  const tail = new TextEncoder().encode(`"contentType":${JSON.stringify(type)}}`);
  bytes[0] = 0x7b;
  bytes.set(tail, size - tail.length);
  return bytes;
}

export const sizeScripts: Generate = function* ({ tenant, uploadContentType: type }) {
  // To save megabytes, bodies in chunks are sent for one site only.
  for (const [index, place] of sitesOf(tenant).entries())
    for (const chunked of index === 0 ? [false, true] : [false])
      yield {
        id: `sizes/${index === 0 ? 'first' : 'second'}-site/${chunked ? 'chunked' : 'announced'}`,
        title: `starts for ${place.params.id} of 9.9 and of 11 MB, ${chunked ? 'in chunks' : 'their length announced'}`,
        tries: ['limits/below-10mb-passes', 'limits/above-10mb-is-refused', 'limits/too-large-is-413'],
        uses: [start],
        run: async (b) => {
          const [who] = uploadersOf(b, tenant);
          if (who === undefined) return;
          const at = { place, who };
          const sized = (size: number, change: Change) => async (alone: Bench, trial?: Trial) => {
            const how = {
              body: padded(size, type),
              change,
              successRule: 'limits/below-10mb-passes',
              once: true,
            } as const;
            return alone.send(starting(alone, at, how), { trial });
          };
          // A deployment need not take a body whose length is not announced, nor wait for one.
          const small = (id: string) => may(id, [408, 411], { chunked });
          if (!succeeded(await b.send(starting(b, at, { change: small('a small body') })))) return;
          for (const [rule, size, change] of [
            ['limits/below-10mb-passes', below, small('less than 10 MB')],
            [
              'limits/above-10mb-is-refused',
              above,
              must(asks.tooLarge, 'limits/above-10mb-is-refused', 'any', { chunked }),
            ],
          ] as const)
            await passes(b, at, { rule, way: `${place.params.id} ${chunked}`, rounds, go: sized(size, change) });
        },
      };
};
