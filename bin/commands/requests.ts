import type { Command } from '@commander-js/extra-typings';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { remoteMock } from '../../mock/adapters/remote-mock.ts';
import type { Exchange } from '../../mock/index.ts';
import { interruption } from '../../spec/interruption.ts';
import { mockOptions } from '../mock-options.ts';
import type { FlagsOf } from '../option-values.ts';
import { logLine } from '../request-log.ts';

/** `partnerkit requests`: prints the requests that a running mock has answered, with the reason and the rule of each refusal. */
export const define = (command: Command) =>
  withOptions(command).action((flags) => (flags.follow ? follow(flags) : list(flags)));

const withOptions = (command: Command) =>
  mockOptions(command)
    .option('--follow', 'print requests as they arrive, until Ctrl-C, instead of the newest hundred')
    .option('--tenant <name>', 'only requests with a key of this tenant')
    .option('--status <status>', 'only this status, such as 403, or this class, such as 4xx')
    .option('--json', 'print JSON lines')
    .addHelpText('after', '\nExample:\n  partnerkit requests --follow --status 4xx');

type RequestsFlags = FlagsOf<typeof withOptions>;

const queryOf = ({ tenant, status }: RequestsFlags) =>
  new URLSearchParams({ ...(tenant !== undefined && { tenant }), ...(status !== undefined && { status }) });

async function list(flags: RequestsFlags): Promise<void> {
  const control = remoteMock(flags.mock, flags.controlToken);
  const { exchanges } = await control.json<{ exchanges: Exchange[] }>(`/journal?${queryOf(flags)}`);
  process.stdout.write(exchanges.map((exchange) => logLine(exchange, flags.json ?? false)).join(''));
}

async function follow(flags: RequestsFlags): Promise<void> {
  const { signal } = interruption();
  const { mock, controlToken, json = false } = flags;
  const headers = new Headers(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` });
  // Says what is wrong, if there is no mock, or it refuses.
  await remoteMock(mock, controlToken).ask(`/journal?${queryOf(flags)}`);
  try {
    // A redirect is not followed, because only the mock itself may get the token.
    const { body } = await fetch(`${mock}/_mock/journal/stream?${queryOf(flags)}`, {
      headers,
      signal,
      redirect: 'error',
    });
    const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events ?? [])
      if (event === 'exchange') process.stdout.write(logLine(JSON.parse(data), json));
      else process.stderr.write(`The mock was too fast: ${JSON.parse(data).count} requests are left out.\n`);
  } catch {
    // The connection breaks when the mock ends, and at Ctrl-C.
  }
  if (!signal.aborted) process.stderr.write('The mock has ended.\n');
}
