import { targetOf } from '../../mock/control/target-of.ts';
import { createMock, listen } from '../../mock/index.ts';
import { defaultSeeds } from '../../mock/seed/generated/tenants.ts';
import { variants } from './variants.ts';

/**
 * `node serve-variant.ts NAME [KEYS]`: serves that variant of the mock on a free port, prints a target for it as JSON, and
 * runs until it is killed.
 */
const [name = 'right', keys = '0'] = process.argv.slice(2);
const variant = variants[name];
if (variant === undefined)
  throw new Error(`there is no variant ${name}; use one of ${Object.keys(variants).join(', ')}`);
const { createLimiter, changeReply = (reply) => reply } = variant.make();
/** That many keys for the tenant of the target, which can only read conversations. Their secrets are fake. */
const fleet = Array.from({ length: Number(keys) }, (_, index) => ({
  name: `fleet-${index + 1}`,
  secret: `fleet-fake-secret-${String(index + 1).padStart(16, '0')}`,
  scopes: ['conversation:read'],
}));
const seeds = defaultSeeds.map((seed, index) => (index === 0 && fleet.length > 0 ? { ...seed, keys: fleet } : seed));
const mock = await createMock({ seeds, ...(createLimiter !== undefined && { createLimiter }) });
const { url } = await listen(
  {
    ...mock,
    handle: async (request, trace) => changeReply(await mock.handle(request, trace)),
  },
  { port: 0, control: false },
);
process.stdout.write(`${JSON.stringify(targetOf(mock, url))}\n`);
