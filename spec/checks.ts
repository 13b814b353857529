/** What is checked once the key is known, in the order of decisions.md. Beside the schema of profiles, because every mock loads this. */
export const checks = ['rate', 'size', 'route', 'scope', 'body', 'ids', 'record', 'label'] as const;
export type Check = (typeof checks)[number];
