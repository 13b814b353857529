import { z } from 'zod';
import { closedObject } from '../../spec/files/closed-object.ts';
import { operationList } from '../../spec/operations.ts';
import { rules } from '../../spec/rules.ts';
import { type Tool, tool } from './tool.ts';

const annotations = { readOnlyHint: true, openWorldHint: false };

/** Tools that read the contract. They need no mock. */
export const contractTools: readonly Tool[] = [
  tool({
    name: 'find_rules',
    title: 'Find rules of the contract',
    description: 'Rules whose id, section or sentence contain all words of the text. Without a text, all rules.',
    input: closedObject({
      text: z
        .string()
        .max(200, 'must have at most 200 characters')
        .default('')
        .describe('For example "label idempotent" or "limiter/".'),
    }),
    annotations,
    run({ text }) {
      const words = text.toLowerCase().split(/\s+/);
      return rules.filter(({ id, section, rule }) => {
        const searched = `${id} ${section} ${rule}`.toLowerCase();
        return words.every((word) => searched.includes(word));
      });
    },
  }),
  tool({
    name: 'list_operations',
    title: 'List the operations of the API',
    description: 'Method, path, scopes and statuses of every operation, each with its provenance.',
    input: closedObject({}),
    annotations,
    run: () => operationList,
  }),
];
