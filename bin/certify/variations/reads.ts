import type { ApiReply } from '../../../mock/message.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { changeAt, jsonOf, pathsIn, withJson } from './json-replies.ts';
import type { Passing, Used } from './variation.ts';

/** Operations that answer a record, and the properties that the contract promises. */
const promised: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getConversationContext: [],
  getConversation: ['id'],
  getSite: ['id'],
  getClient: ['id', 'name', 'firstName', 'lastName', 'createdAt'],
};

/** A property in the replies of an operation, such as `getConversationContext.messages.role`. */
export interface Property {
  readonly operation: OperationId;
  readonly path: string;
  readonly value: unknown;
}

/** The properties in the replies to a client that the contract does not promise. */
export function propertiesRead({ requests }: Used): Property[] {
  const found = new Map<string, Property>();
  for (const { operation, status, body } of requests) {
    if (operation === null || operation === 'storage' || status !== 200 || !(operation in promised)) continue;
    for (const [path, value] of pathsIn(jsonOf(body) ?? null)) {
      if (!promised[operation]?.includes(path)) found.set(`${operation}.${path}`, { operation, path, value });
    }
  }
  return [...found.values()];
}

export const nameOf = ({ operation, path }: Property): string => `${operation}.${path}`;

/** Changes these properties in successful replies. @param parts names as `nameOf` writes them */
export const changing =
  (parts: readonly string[], change: (value: never) => unknown) =>
  (reply: ApiReply, { trace }: Passing): ApiReply => {
    const { operationId } = trace;
    const paths = parts.filter((part) => part.startsWith(`${operationId}.`));
    if (reply.status !== 200 || paths.length === 0) return reply;
    return withJson(reply, (body) =>
      // The inner ones first, before an outer one is removed.
      paths
        .toSorted((a, b) => b.length - a.length)
        .reduce((all, part) => changeAt(all, part.slice(`${operationId}.`.length), change as never), body),
    );
  };
