/**
 * Runs honest deployments, and says which a run judges wrongly:
 *   node conformance/proof/strangers/try.ts [kinds or ids] [--sealed] [--seed 2] [--part 0/4] [--all]
 * Exit code 1 is never right; 3 is right where the deployment prevents judgement. `--all` says every alarm and what is unclear.
 */
import { parseArgs } from 'node:util';
import { ruleById } from '../../../spec/rules.ts';
import { evidenceIn } from '../../verdict/evidence.ts';
import { networkProfiles } from '../trials/network-profiles.ts';
import { tryVariant } from '../trials/trial.ts';
import { kinds, sealed, strangers } from './index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sealed: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '0/1' },
  },
});
const [part = 0, parts = 1] = values.part.split('/').map(Number);
const say = (line: string) => process.stdout.write(`${line}\n`);
const near = networkProfiles.find(({ id }) => id === 'near');
const table = new Map<string, { right: number; failed: number; unclear: number }>();
const chosen = kinds
  .flatMap((kind) => (values.sealed ? sealed : strangers)[kind].map((one) => ({ kind, one })))
  .filter(({ kind, one }) => positionals.length === 0 || positionals.some((name) => name === kind || one.id === name))
  .filter((_, i) => i % parts === part);

for (const { kind, one } of chosen) {
  const network = near && { ...near, ...one.network };
  const { history, changed } = await tryVariant(one, {
    seed: Number(values.seed),
    ...(network && { network }),
    ...one.chosen,
  });
  const musts = [...evidenceIn(history)].filter(
    ([id]) => ruleById(id).provenance === 'documented' && ruleById(id).level === 'must',
  );
  const failed = musts.filter(([, { failures }]) => failures.length > 0);
  const unclear = musts.filter(([, { failures, unclear }]) => failures.length === 0 && unclear.length > 0);
  const exit = failed.length > 0 ? 1 : unclear.length > 0 ? 3 : 0;
  const isRight = exit === 0 || (exit === 3 && one.prevents !== undefined);
  const row = table.get(kind) ?? { right: 0, failed: 0, unclear: 0 };
  table.set(kind, row);
  row[isRight ? 'right' : exit === 1 ? 'failed' : 'unclear']++;
  const seconds = Math.round(((history.exchanges.at(-1)?.doneAt ?? 0) - Date.parse(history.known.startedAt)) / 1000);
  say(
    `${isRight ? 'right' : 'WRONG'} ${exit} ${kind}/${one.id}, ${history.exchanges.length} requests, ${seconds} s${changed.length > 0 ? `, LEFT ${changed.join('; ')}` : ''}`,
  );
  for (const [
    id,
    {
      failures: [first, ...more],
    },
  ] of failed)
    say(
      `    failed ${id}${more.length > 0 ? ` (and ${more.length} more)` : ''}: ${first?.exchange.method} ${first?.exchange.url.slice(0, 110)} expected ${first?.expected}, got ${first?.observed.slice(0, 160)} [${first?.exchange.script}]`,
    );
  if (!isRight || values.all)
    for (const [
      id,
      {
        unclear: [first = '', ...more],
      },
    ] of unclear)
      say(`    unclear ${id} (${more.length + 1}): ${first.slice(0, 200)}`);
}
say('kind         right  failed  unclear');
for (const [kind, { right, failed, unclear }] of table)
  say(`${kind.padEnd(12)} ${String(right).padStart(5)} ${String(failed).padStart(7)} ${String(unclear).padStart(8)}`);
