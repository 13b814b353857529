import type { ApiReply } from '../../../mock/message.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { changeAt, pathsIn, withJson } from './json-replies.ts';
import type { Passing, Used } from './variation.ts';

/** Operations whose reply is a record to be read, and what of it is always there. */
const sure: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getConversationContext: [],
  getConversation: ['id'],
  getSite: ['id'],
  getClient: ['id', 'name', 'firstName', 'lastName', 'createdAt'],
};

/** A property of the reply of an operation, as `getConversationContext.messages.role`. */
export interface Property {
  readonly operation: OperationId;
  readonly path: string;
  readonly value: unknown;
}

/** What the records that a client reads have been seen to hold, beside what is always there. */
export function propertiesRead({ requests }: Used): Property[] {
  const found = new Map<string, Property>();
  for (const { operation, status, body } of requests) {
    if (operation === null || operation === 'storage' || status !== 200 || !(operation in sure)) continue;
    for (const [path, value] of pathsIn(parsed(body))) {
      if (!sure[operation]?.includes(path)) found.set(`${operation}.${path}`, { operation, path, value });
    }
  }
  return [...found.values()];
}

export const nameOf = ({ operation, path }: Property): string => `${operation}.${path}`;

/** Changes what stands at these places of successful replies. @param parts as `nameOf` has them */
export const changing =
  (parts: readonly string[], change: (value: never) => unknown) =>
  (reply: ApiReply, { trace }: Passing): ApiReply => {
    const { operationId } = trace;
    const paths = parts.filter((part) => part.startsWith(`${operationId}.`));
    if (reply.status !== 200 || paths.length === 0) return reply;
    return withJson(reply, (body) =>
      // The deepest first: what is taken away has no inside any more.
      paths
        .toSorted((a, b) => b.length - a.length)
        .reduce((all, part) => changeAt(all, part.slice(`${operationId}.`.length), change as never), body),
    );
  };

function parsed(body: string | null) {
  try {
    return JSON.parse(body ?? 'null');
  } catch {
    return null;
  }
}
