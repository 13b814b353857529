import type { Reply } from '../reply.ts';
import type { Deployment } from '../target/deployment.ts';

/**
 * The replies of operations: neither of the storage that upload URLs lead to, nor to paths and methods that no operation
 * has, which whatever stands in front of the service may answer in its own way.
 */
export function endpointReplies(replies: readonly Reply[], { baseUrl, operations }: Deployment): Reply[] {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const patterns = operations.map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${escaped(base + path).replace(/\\\{\w+\\\}/g, '[^/]+')}$`),
  }));
  return replies.filter(({ exchange }) => {
    const { pathname } = new URL(exchange.url);
    return patterns.some(
      ({ id, method, pattern }) => id === exchange.operationId && method === exchange.method && pattern.test(pathname),
    );
  });
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
