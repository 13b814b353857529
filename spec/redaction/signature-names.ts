/** Names of parameters whose value is a secret by itself. */
export interface SignatureName {
  /** Matches the text after the name. Its first group is the value. */
  readonly value: RegExp;
}

// A value that is a placeholder already is not replaced again.
const value = String.raw`((?!\$[A-Z]|REDACTED)[^&\s"'\\<>,;]+)`;

/** Parameters of a query or a form: signatures of presigned URLs, and usual names of credentials. */
const inQuery: SignatureName = { value: new RegExp(value, 'y') };

/** In a query, a form, a JSON object or an XML error. */
const anywhere: SignatureName = { value: new RegExp(String.raw`["']?\s*[=:>]\s*["']?${value}`, 'y') };

const prefixes = ['x-amz-', 'x-goog-', 'x-oss-', 'x-cos-', 'x-obs-'];
const ofStores = prefixes.flatMap((prefix) =>
  ['signature', 'credential', 'security-token'].map((name) => prefix + name),
);

/** By the name that stands before the value. */
export const signatureNames: ReadonlyMap<string, SignatureName> = new Map([
  ...[...ofStores, 'accesskeyid', 'googleaccessid', 'signatureprovided'].map((name) => [name, anywhere] as const),
  ...['signature', 'credential', 'token', 'secret', 'policy', 'key-pair-id', 'apikey', 'accesskey', '?sig', '&sig']
    .concat('api-key', 'api_key', 'access-key', 'access_key', '?key', '&key')
    .map((name) => [`${name}=`, inQuery] as const),
]);
