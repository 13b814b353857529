import type { Mock as InProcess } from '../../../mock/in-process.ts';
import { createClock, createMock, type Mock, type MockOptions, type Wrong } from '../../../mock/index.ts';
import type { Product } from '../../../mock/wrong/tampering/defect.ts';
import { parseTarget, type Target } from '../../../spec/files/target.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import type { Environment } from '../../client/environment.ts';
import { TransportError } from '../../client/http.ts';
import { productOf } from './product-of.ts';
import { quickFiles } from './quick-files.ts';
import { type VirtualOptions, virtualEnvironment } from './virtual-environment.ts';

/** A mock and an environment with the same virtual clock. */
interface VirtualMock {
  readonly mock: Mock;
  readonly environment: Environment;
  /** The target file of the mock, as in `fixtures/mock.target.yaml`. */
  readonly target: Target;
}

export interface VirtualMockOptions
  extends Omit<MockOptions, 'latency'>,
    Partial<Omit<VirtualOptions, 'answer' | 'startsAt'>> {
  /** Wraps the handler of the mock: a defect or a legal variant. */
  readonly around?: (handle: Mock['handle'], mock: InProcess) => Mock['handle'];
  /** Changes what hooks do. */
  readonly product?: ((does: Product) => Product) | undefined;
}

const epoch = Date.UTC(2026, 0, 1);

const file = new URL('../../../fixtures/mock.target.yaml', import.meta.url).pathname;
const packaged = parseTarget(readYamlFile(file), {}, file);
const hooks = { ...packaged.hooks, closeConversation: 'the product', reopenConversation: 'the product' };

/** A mock with the packaged tenants behind a simulated network, in virtual time. */
export async function virtualMock({
  around,
  product,
  seed = 1,
  latency,
  drops,
  ...options
}: VirtualMockOptions = {}): Promise<VirtualMock> {
  let environment: Environment | undefined;
  const clock = createClock(() => environment?.now() ?? epoch);
  // Nobody reads the journal of these mocks, and to redact it takes a tenth of a run.
  const wrong: Wrong | undefined = around && {
    id: 'proof',
    does: 'is wrong',
    around: ({ handle, mock: inside }) => around(handle, inside),
  };
  const mock = await createMock({ files: quickFiles(), journal: false, ...options, clock, ...(wrong && { wrong }) });
  environment = virtualEnvironment({
    seed,
    startsAt: epoch,
    ...(latency && { latency }),
    ...(drops && { drops }),
    command: productOf(mock, product),
    answer: async ({ method, url, headers, body, chunked = false }) => {
      const { host, origin, pathname, search } = new URL(url);
      const length = body === null || chunked ? {} : { 'content-length': String(body.length) };
      const reply = await mock.handle({
        method,
        url: pathname + search,
        origin,
        headers: { host, ...lowerCased(headers), ...length },
        body: body === null ? null : once(body),
      });
      if (reply.delay !== undefined) await environment?.sleep(reply.delay);
      if (reply.broken !== undefined) throw new TransportError('reset', 'connection reset');
      return { status: reply.status, headers: reply.headers, body: new TextEncoder().encode(reply.body ?? '') };
    },
  });
  return { mock, environment, target: { ...packaged, hooks } };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Names of headers as a server reads them: their letter case says nothing. */
const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
