import { stringify } from 'yaml';

/** A value as YAML, with no line broken where it gets long. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 });
