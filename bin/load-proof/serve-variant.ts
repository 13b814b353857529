import { fleetKeys } from '../../load/fleet-fixture.ts';
import { createMock, listen } from '../../mock/index.ts';
import { defaultSeeds } from '../../mock/seed/generated/tenants.ts';
import { variants } from './variants.ts';

/** `node serve-variant.ts NAME [KEYS]`: serves that mock on a free port, prints its address, and runs until it is killed. */
const [name = 'right', keys] = process.argv.slice(2);
const make = variants[name];
if (make === undefined) throw new Error(`there is no variant ${name}; use one of ${Object.keys(variants).join(', ')}`);
const { createLimiter, changeReply = (reply) => reply } = make();
const seeds =
  keys === undefined
    ? defaultSeeds
    : defaultSeeds.map((seed, index) => (index === 0 ? { ...seed, keys: fleetKeys(Number(keys)) } : seed));
const mock = await createMock({ seeds, ...(createLimiter !== undefined && { createLimiter }) });
const { url } = await listen(
  {
    ...mock,
    handle(request, trace) {
      const reply = mock.handle(request, trace);
      return reply instanceof Promise ? reply.then(changeReply) : changeReply(reply);
    },
  },
  { port: 0, control: false },
);
process.stdout.write(`${url}\n`);
