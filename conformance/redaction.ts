/** Replaces secrets by their names in everything that leaves the runner: console, reports, evidence, errors. */
export interface Redaction {
  /** From now on this value is shown as that placeholder. Values under 6 characters are too common to replace. */
  add(secret: string, placeholder: string): void;
  /** The text without any secret, neither as it is nor percent-encoded nor in JSON nor in Base64. */
  apply(text: string): string;
  /** Whether one of the secrets stands in the text, in any of these forms. */
  holds(text: string): boolean;
  /** Characters of the longest form of a secret: so much at the end of a text that was cut may be the beginning of one. */
  readonly longest: number;
}

const shortest = 6;

/** Query parameters of presigned URLs that open the way by themselves, whoever signed them. What says how long stays readable. */
const signature =
  /(?<![a-z])((?:X-Amz-|X-Goog-)?(?:Signature|Credential|Security-Token)|sig|token|Key-Pair-Id|Policy)=([^&\s"'\\<]+)/gi;

export function createRedaction(): Redaction {
  /** Longest first, so that a secret which contains another is replaced whole. */
  let secrets: (readonly [string, string])[] = [];
  return {
    add(secret, placeholder) {
      if (secret.length < shortest) return;
      const forms = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64(secret)]);
      const added = [...forms].map((form) => [form, placeholder] as const);
      secrets = [...secrets.filter(([form]) => !forms.has(form)), ...added].sort(([a], [b]) => b.length - a.length);
    },
    apply(text) {
      let clean = text;
      for (const [secret, placeholder] of secrets) clean = clean.replaceAll(secret, placeholder);
      return clean.replace(signature, '$1=REDACTED');
    },
    holds: (text) => secrets.some(([form]) => text.includes(form)),
    get longest() {
      return secrets[0]?.[0].length ?? 0;
    },
  };
}

/** Without its last character, which changes with what follows. */
const base64 = (secret: string) => Buffer.from(secret).toString('base64').replace(/.?=*$/, '');

/** The name under which a key's secret is shown, as an environment variable would be called: `$ACME_FULL_KEY`. */
export function keyPlaceholder(tenant: string, key: string): string {
  return `$${`${tenant}_${key}_KEY`.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}
