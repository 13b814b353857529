import type { Generate } from '../../scripts/script.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf } from '../../target/records.ts';
import { insist } from '../asking/insist.ts';

/** The limit of 10 MB means 10,000,000 or 10,485,760 bytes; these sizes are below and above both. */
const below = 9_900_000;
const above = 11 * 1024 * 1024;

/** A start, padded with white space to this size: the JSON has the same meaning, and a start stores nothing. */
function padded(size: number, type: string): Uint8Array {
  const bytes = new Uint8Array(size).fill(0x20);
  const tail = new TextEncoder().encode(`"contentType":${JSON.stringify(type)}}`);
  bytes[0] = 0x7b;
  bytes.set(tail, size - tail.length);
  return bytes;
}

/** Bodies around the limit of 10 MB, with a Content-Length and in chunks. */
export const sizes: Generate = function* (deployment) {
  const start = deployment.operation('startSiteFileUpload');
  const [key] = keysWith(deployment.tenant, start?.scopes ?? []);
  const bodies = new Map<number, Uint8Array>();
  const bodyOf = (size: number) => {
    const body = bodies.get(size) ?? padded(size, deployment.uploadContentType);
    bodies.set(size, body);
    return body;
  };
  for (const { slug, words, holder } of holdersOf(deployment.tenant)) {
    if (holder.kind !== 'site') continue;
    for (const chunked of [false, true]) {
      const how = chunked ? 'chunked' : 'announced';
      // To save megabytes, chunked bodies are sent for one site only.
      const deep = slug === 'legacy-site' && chunked;
      yield {
        id: `sizes/${slug}/${how}`,
        title: `starts for ${words} of 9.9 and of 11 MB, ${chunked ? 'in chunks' : 'their length announced'}`,
        feeds: [
          'limits/below-10mb-passes',
          'limits/above-10mb-is-refused',
          'limits/too-large-is-413',
          'errors/upload-statuses-are-declared',
        ],
        uses: ['startSiteFileUpload'],
        ...(deep && { deep }),
        async run(scene) {
          const ask = (size: number, twist: string) =>
            insist(scene, {
              operation: 'startSiteFileUpload',
              params: { id: holder.id },
              body: bodyOf(size),
              twist: `size/${twist}-${how}`,
              chunked,
              ...(key && { key }),
            });
          await ask(100, 'small');
          await ask(below, 'below');
          await ask(above, 'above');
        },
      };
    }
  }
};
