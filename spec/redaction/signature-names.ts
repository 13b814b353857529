/** Names of parameters whose value is a secret by itself. */
export interface SignatureName {
  /** What comes behind the name; its first group is the value. */
  readonly value: RegExp;
}

// A value that is already replaced stays.
const value = String.raw`((?!\$[A-Z]|REDACTED)[^&\s"'\\<>,;]+)`;

/** In a query or a form: those of presigned URLs, and what clients call their credentials there. */
const inQuery: SignatureName = { value: new RegExp(value, 'y') };

/** Anywhere: in a query, a form, a JSON object, an XML error. */
const anywhere: SignatureName = { value: new RegExp(String.raw`["']?\s*[=:>]\s*["']?${value}`, 'y') };

const prefixes = ['x-amz-', 'x-goog-', 'x-oss-', 'x-cos-', 'x-obs-'];
const ofStores = prefixes.flatMap((prefix) =>
  ['signature', 'credential', 'security-token'].map((name) => prefix + name),
);

/** By the name in the text. */
export const signatureNames: ReadonlyMap<string, SignatureName> = new Map([
  ...[...ofStores, 'accesskeyid', 'googleaccessid', 'signatureprovided'].map((name) => [name, anywhere] as const),
  ...['signature', 'credential', 'token', 'secret', 'policy', 'key-pair-id', 'apikey', 'accesskey', '?sig', '&sig']
    .concat('api-key', 'api_key', 'access-key', 'access_key', '?key', '&key')
    .map((name) => [`${name}=`, inQuery] as const),
]);
