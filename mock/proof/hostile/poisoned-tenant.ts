import { defaultSeeds } from '../../seed/generated/tenants.ts';
import type { TenantSeed } from '../../seed/schema.ts';
import { seedFromDocument } from '../../seed/seed-from-document.ts';

/** Markup and code in every way in which a page may come to run it or load something for it from `evil`. */
export const payloadFor = (evil: string): string =>
  [
    `<script src="${evil}/script"></script>`,
    '<script>window.pwned=1</script>',
    `<img src="${evil}/image" onerror="window.pwned=1">`,
    '"><svg onload=window.pwned=1></svg>',
    `'><iframe src="${evil}/frame"></iframe><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
    `<link rel="stylesheet" href="${evil}/style"><style>@import "${evil}/import";</style>`,
    `<a href="javascript:window.pwned=1">`,
    `<base href="${evil}/"><meta http-equiv="refresh" content="0;url=${evil}/refresh">`,
    '{{constructor.constructor("window.pwned=1")()}}',
  ].join('');

/** What is text and nothing else in a seed: no id, no secret, no date. */
const texts = new Set(
  'description,name,firstName,lastName,email,role,value,label,partnerName,address1,address2,city,state,zip,businessName,serviceLevel,friendlyId,subject,status,type,urgency,requester,issue,resolution,shortSummary,author,text,rawBody,title,content'.split(
    ',',
  ),
);

function poison(value: unknown, payload: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => poison(item, payload, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poison(each, payload, key)]));
  }
  // Records name the labels that they carry.
  return typeof value === 'string' && (texts.has(name) || name === 'labels') ? value + payload : value;
}

/** Acme with the payload in whatever a person may have written: names, labels, messages, keys. */
export function poisonedTenant(payload: string): Promise<TenantSeed> {
  return seedFromDocument(poison(defaultSeeds[0], payload), 'poisoned acme');
}
