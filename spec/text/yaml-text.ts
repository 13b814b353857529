import { stringify } from 'yaml';

/** A value as YAML. Long lines are not broken. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 });
