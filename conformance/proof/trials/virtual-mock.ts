import { createClock, createMock, type MockOptions, type Wrong } from '../../../mock/index.ts';
import { wholeBody } from '../../../mock/message.ts';
import { memoryFiles } from '../../../mock/storage/files.ts';
import type { Product } from '../../../mock/wrong/tampering/defect.ts';
import { readYamlFile } from '../../../spec/files/read-file.ts';
import { parseTarget } from '../../../spec/files/target.ts';
import { seededRandom } from '../../../spec/random.ts';
import { type Environment, virtualClock } from '../../client/environment.ts';
import { type HttpReply, type HttpRequest, TransportError } from '../../client/http.ts';
import type { Command, CommandResult } from '../../hooks/command.ts';
import { productOf } from './product-of.ts';

export interface VirtualMockOptions extends Omit<MockOptions, 'latency'>, Partial<Omit<VirtualOptions, 'answer'>> {
  /** Wraps the handler of the mock: a defect or a legal variant. */
  readonly around?: Wrong['around'];
  /** Changes what hooks do. */
  readonly product?: ((does: Product) => Product) | undefined;
}

const epoch = Date.UTC(2026, 0, 1);

const file = new URL('../../../fixtures/mock.target.yaml', import.meta.url).pathname;
const packaged = parseTarget(readYamlFile(file), {}, file);
const hooks = { ...packaged.hooks, closeConversation: 'the product', reopenConversation: 'the product' };

/** A mock with the packaged tenants behind a simulated network, and an environment with the same virtual clock. */
export async function virtualMock({ around, product, seed = 1, latency, drops, ...options }: VirtualMockOptions = {}) {
  let environment: Environment | undefined;
  const clock = createClock(() => environment?.now() ?? epoch);
  const wrong = around && { wrong: { id: 'proof', does: 'is wrong', around } };
  // Nobody reads the journal of these mocks, and to redact it takes a tenth of a run.
  const mock = await createMock({ files: memoryFiles(), journal: false, ...options, clock, ...wrong });
  environment = virtualEnvironment({
    seed,
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
        body: body === null ? null : wholeBody(body),
      });
      if (reply.delay !== undefined) await environment?.sleep(reply.delay);
      if (reply.broken !== undefined) throw new TransportError('other', 'connection reset');
      return { status: reply.status, headers: reply.headers, body: new TextEncoder().encode(reply.body ?? '') };
    },
  });
  return { mock, environment, target: { ...packaged, hooks } };
}

/** Names of headers as a server reads them: their letter case says nothing. */
const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

interface VirtualOptions {
  /** Answers without taking time; only `latency` takes time. */
  readonly answer: (request: HttpRequest) => HttpReply | Promise<HttpReply>;
  readonly seed: number;
  /** Milliseconds one way, drawn anew for each way of each request. */
  readonly latency?: (random: () => number) => number;
  /** Whether the connection of this request drops before anything is sent. */
  readonly drops?: (random: () => number) => boolean;
  /** Runs commands. By default every command fails. */
  readonly command?: (command: Command) => CommandResult | Promise<CommandResult>;
}

const commandMilliseconds = 50;

/** An environment in virtual time. */
export function virtualEnvironment(options: VirtualOptions): Environment {
  const random = seededRandom(options.seed);
  const { now, sleep } = virtualClock();
  return {
    now,
    sleep,
    async command(command) {
      await sleep(commandMilliseconds);
      return options.command?.(command) ?? { stdout: '', stderr: '', problem: 'there are no commands here' };
    },
    random,
    async send(request, { timeoutMilliseconds, signal }) {
      if (signal?.aborted) throw new TransportError('aborted', 'aborted');
      const latency = () => options.latency?.(random) ?? 0;
      const [there, back] = [latency(), latency()];
      if (options.drops?.(random)) {
        await sleep(there, signal);
        throw new TransportError('other', 'connection reset');
      }
      const ends = now() + timeoutMilliseconds;
      await sleep(Math.min(there, timeoutMilliseconds), signal);
      const reply = there < timeoutMilliseconds ? await options.answer(request) : null;
      // A deployment may hold the reply back.
      await sleep(Math.min(back, ends - now()), signal);
      if (reply === null || now() >= ends)
        throw new TransportError('timeout', `no reply within ${timeoutMilliseconds} ms`);
      return reply;
    },
  };
}
