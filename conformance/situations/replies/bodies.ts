import type { RuleId } from '../../../spec/rules.ts';
import type { Ask } from '../../client/ask.ts';
import type { Generate } from '../../scripts/script.ts';
import { keysWith } from '../../target/keys.ts';
import { holdersOf, tenantsOf } from '../../target/records.ts';
import { unusualWays } from '../asking/spellings.ts';

const feeds: readonly RuleId[] = [
  'transport/json-both-ways',
  'ids/site-id',
  'ids/legacy-site-id-works',
  'errors/body',
  'errors/codes',
  'errors/invalid-request-is-400',
  'errors/upload-statuses-are-declared',
];

/** The same JSON with white space and escapes. */
const spaced = (type: string) =>
  `{\n  "contentType" :\t"${type.replace(/[^\w]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)}"\r\n}\n`;

/** Lawful ways to write and declare the same JSON. */
const spellings = (type: string): readonly Pick<Ask, 'twist' | 'body' | 'headers' | 'chunked'>[] => [
  { twist: 'legal/spaced-and-escaped', body: spaced(type) },
  { twist: 'legal/charset', headers: { 'content-type': 'application/json; charset=utf-8' } },
  // Equal by the HTTP standard, but not mentioned by the specification, so no law demands success.
  { twist: 'type/other-case', headers: { 'content-type': 'Application/JSON;charset="UTF-8"' } },
  { twist: 'legal/any-reply', headers: { accept: '*/*' } },
  { twist: 'legal/chunked', chunked: true },
];

/** Bodies that are not JSON, or not declared as JSON. */
const malformed = (type: string): readonly Pick<Ask, 'twist' | 'body' | 'headers'>[] => [
  { twist: 'body/malformed-cut-off', body: `{"contentType": "${type}"` },
  { twist: 'body/malformed-quotes', body: `{contentType: '${type}'}` },
  { twist: 'body/malformed-tail', body: `{"contentType":"${type}"} and more` },
  { twist: 'body/malformed-comma', body: `{"contentType": "${type}",}` },
  { twist: 'body/malformed-form', body: `contentType=${encodeURIComponent(type)}` },
  { twist: 'body/not-json', headers: { 'content-type': 'text/plain' } },
];

const registrations = (registration: Readonly<Record<string, unknown>>): readonly Pick<Ask, 'twist' | 'body'>[] => [
  { twist: 'body/missing-file-key', body: { ...registration } },
  { twist: 'body/malformed-file-key', body: { ...registration, fileKey: '0-not-a-uuid' } },
  { twist: 'body/malformed-cut-off', body: '{"fileKey": "' },
  { twist: 'body/array', body: [] },
];

/** Lawful and malformed bodies of the two operations that have a body. */
export const bodies: Generate = function* (deployment) {
  const { uploadContentType: type, registration } = deployment;
  const start = deployment.operation('startSiteFileUpload');
  const register = deployment.operation('registerSiteFile');
  for (const owner of tenantsOf(deployment)) {
    const ours = owner === deployment.tenant;
    for (const { slug, words, holder } of holdersOf(owner)) {
      if (holder.kind !== 'site') continue;
      const params = { id: holder.id };
      const keys = keysWith(owner, start?.scopes ?? []);
      const registerKey = keysWith(owner, register?.scopes ?? [])[0];
      yield {
        id: `bodies/${ours ? 'ours' : 'theirs'}/${slug}`,
        title: `JSON in every lawful spelling, and malformed JSON, for ${words} of ${owner.name}`,
        feeds,
        uses: ['startSiteFileUpload'],
        async run({ send }) {
          let turn = 0;
          const ask = (change: Partial<Ask>) => {
            const key = keys[turn++ % Math.max(1, keys.length)];
            const body = { contentType: type };
            return send({ operation: 'startSiteFileUpload', params, body, ...(key && { key }), ...change });
          };
          await ask({});
          for (const spelling of spellings(type)) await ask(spelling);
          if (!ours) return;
          for (const key of keys.slice(0, 1)) for (const way of unusualWays(key.secret)) await ask({ ...way, key });
          for (const credential of ['none', 'unknown'] as const) await ask({ credential });
          for (const [index, wrong] of malformed(type).entries()) {
            await ask(wrong);
            // A body may be read before the key is checked.
            await ask({ ...wrong, credential: index % 2 === 0 ? 'none' : 'unknown' });
          }
          if (register === undefined) return;
          for (const wrong of registrations(registration))
            await send({ operation: 'registerSiteFile', params, ...(registerKey && { key: registerKey }), ...wrong });
        },
      };
    }
  }
};
