import { type Check, check } from '../check.ts';
import { expectControl, expectThat } from '../expect.ts';
import { type Reply, succeeded } from '../reply.ts';
import { controlled, legalCall } from './legal-calls.ts';

/**
 * Whether the reply is the operation's own: a success that holds the same properties. A web page that answers to every path,
 * or another API below the same host, is none.
 */
function isServed(reply: Reply, control: Reply): boolean {
  const names = (json: unknown) => Object.keys(typeof json === 'object' && json !== null ? json : {}).sort();
  const expected = names(control.json);
  return succeeded(reply) && expected.length > 0 && names(reply.json).join() === expected.join();
}

/** With the prefix, and not without it. Health is left out: load balancers like to ask for it at another place. */
const prefixed = (['getConversationContext', 'listLabels', 'startSiteFileUpload'] as const).map((id) => {
  const legal = legalCall(id);
  return check({
    id: `versioning/v1-prefix/${legal.slug}`,
    rule: 'versioning/v1-prefix',
    title: `${legal.slug} is served below /v1, and not without it`,
    needs: legal.needs,
    uses: [id],
    async run({ call, given, newId, deployment }) {
      const path = deployment.operation(id)?.path ?? '';
      const options = legal.options(given, newId);
      const control = await call(id, options);
      expectControl(control, 'the same request under its own path');
      const bare = await call(id, { ...options, path: filled(path.replace(/^\/v1/, ''), options.params) });
      expectThat(bare, !isServed(bare, control), 'nothing is served without /v1', `answered ${bare.status}`);
    },
  });
});

const filled = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Where the target file gives other paths than the contract, they too start with /v1. */
const declared = check({
  id: 'versioning/v1-prefix/every-operation',
  rule: 'versioning/v1-prefix',
  title: 'the path of every operation starts with /v1',
  needs: legalCall('listLabels').needs,
  uses: ['listLabels'],
  async run(context) {
    await controlled(context, legalCall('listLabels'));
    const reply = await context.call('listLabels');
    const others = context.deployment.operations.filter(({ path }) => !path.startsWith('/v1/'));
    const observed = others.map(({ id, path }) => `${id}: ${path}`).join(', ');
    expectThat(reply, others.length === 0, 'paths that start with /v1', observed);
  },
});

/** The version in every path. */
export const versioning: readonly Check[] = [...prefixed, declared];
