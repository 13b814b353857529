import type { Language } from './languages.ts';

/** A client that does one thing wrong, and what must find it: a duty, or a fault or freedom. */
export interface ClientDefect {
  readonly language: Language;
  /** What DEFECT says to the client. */
  readonly name: string;
  readonly foundBy: string;
}

/** By what must find them: what DEFECT says to the clients. */
const found: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>> = {
  typescript: {
    'client/key-in-header': ['bearer'],
    'client/key-nowhere-else': ['bearer-too', 'key-in-cookie', 'key-in-url'],
    'client/key-not-to-storage': ['key-to-storage'],
    'client/key-not-in-output': ['prints-key'],
    'client/json-bodies': ['text-body'],
    'client/known-operations': ['missing-prefix'],
    'client/bytes-to-storage': ['bytes-to-api'],
    'client/request-size': ['huge-request'],
    'client/upload-form': ['extra-property'],
    'client/ids-as-given': ['made-up-label-id', 'label-by-name'],
    'client/upload-content-type': ['wrong-content-type'],
    'client/register-issued-key': ['wrong-file-key', 'registers-at-another-site'],
    'client/register-after-put': ['registers-before-put', 'registers-after-failed-put'],
    'client/finishes-uploads': ['never-registers'],
    'client/waits-retry-after': ['retry-after-ignored', 'retry-after-in-milliseconds', 'fixed-wait'],
    'service/clients-back-off': ['retry-storm', 'constant-pauses', 'no-jitter'],
    'client/ends-retrying': ['endless-retry'],
    'client/no-needless-retry': ['retry-of-4xx', 'puts-to-expired-url'],
    throttled: ['no-retry', 'no-retry-of-429', 'waits-a-second-at-most'],
    unavailable: ['no-retry-of-503', 'one-retry'],
    'lost-reply': ['no-retry-of-lost-replies', 'gives-up-on-labels', 'uploads-again-after-lost-reply'],
    'storage-unavailable': ['no-retry-of-storage'],
    'url-expires': ['no-new-url'],
    'server-error': ['swallows-errors', 'ignores-failed-registration', 'ignores-failed-label'],
    slow: ['impatient'],
    'unknown-fields': ['crash-on-unknown-field'],
    'other-values': ['crash-on-unknown-status', 'labels-are-names'],
    'absent-fields': ['needs-urgency', 'needs-messages'],
    'absent-inner-fields': ['needs-message-text'],
    'empty-lists': ['needs-a-message'],
    'other-order': ['label-by-place'],
    'many-labels': ['first-page-only'],
    'other-replies': ['exact-status', 'exact-201', 'storage-needs-200', 'needs-registration-body'],
    spelling: ['strict-date'],
    'other-errors': ['asks-for-error-code'],
    'legacy-site': ['site-id-is-a-number', 'site-id-has-prefix'],
    'encoded-site': ['site-id-unencoded'],
    'client/lists-once': ['lists-always'],
    'client/below-the-rate': ['lives-on-429s'],
    'client/reuses-connections': ['no-keep-alive'],
    'client/upload-in-time': ['puts-late'],
    'storage-lost-reply': ['no-retry-of-broken-puts'],
    down: ['gives-up-quietly'],
    'key-revoked': ['takes-403-for-nothing-to-do'],
    'least-scopes': ['asks-for-a-site-that-is-not-there'],
  },
  // What depends on the language and its HTTP library.
  python: {
    'client/key-in-header': ['basic'],
    'client/json-bodies': ['form-body'],
    'client/waits-retry-after': ['retry-after-ignored'],
    'cut-body': ['no-retry-of-lost-replies'],
    'server-error': ['always-says-fine'],
    'unknown-fields': ['closed-model'],
    'absent-fields': ['needs-requester'],
  },
  go: {
    'client/key-in-header': ['bearer'],
    'client/register-after-put': ['ignores-errors-of-put'],
    'client/waits-retry-after': ['retry-after-ignored'],
    'storage-lost-reply': ['no-retry-of-lost-replies'],
    'unknown-fields': ['disallows-unknown-fields'],
    spelling: ['strict-time'],
  },
  java: {
    'client/key-in-header': ['bearer'],
    'client/waits-retry-after': ['retry-after-ignored'],
    'lost-reply': ['no-retry-of-lost-replies'],
    'other-order': ['id-before-name'],
  },
  shell: {
    'client/key-in-header': ['bearer'],
    'client/waits-retry-after': ['retry-after-ignored', 'case-sensitive-headers'],
    'lost-reply': ['no-retry-of-lost-replies'],
    'server-error': ['swallows-errors'],
    spelling: ['grep-json'],
  },
};

/** Every defect. Some clients are refused by the service itself: then what is said of them names the duty, too. */
export const clientDefects: readonly ClientDefect[] = Object.entries(found).flatMap(([language, defects]) =>
  Object.entries(defects).flatMap(([foundBy, names]) =>
    names.map((name) => ({ language: language as Language, name, foundBy })),
  ),
);
