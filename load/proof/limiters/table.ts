import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { describeJudgement } from '../../../spec/limiter/describe-judgement.ts';
import { judge } from '../../../spec/limiter/judge.ts';
import { sentenceOf } from '../../../spec/limiter/proof/judge-row.ts';
import { rows } from '../../../spec/limiter/proof/limiters.ts';
import { networks } from '../../../spec/limiter/proof/simulation/networks.ts';
import { observe } from './observe.ts';
import { printing, type RealLimiter, realLimiters } from './real-limiters.ts';

/**
 * `npm run load:table [ROUNDS] [APART]`: every limiter that we could have, real and simulated, judged over real sockets in real time, through three
 * networks, on whatever machine this is. Writes `limiters.md`; exit 1 where a sentence is wrong.
 */

const limit = { perSecond: 10, burst: 20 };
const rounds = Number(process.argv[2] ?? 3);
const tried = ['0 ms', '80 ms', '400 ms, heavy jitter'] as const;
/** Milliseconds between the beginnings of two measurements, so that the machine can send all requests in time. */
const apartMs = Number(process.argv[3] ?? 600);

type Class = 'keeps' | 'breaks' | 'cannot tell';
const classOf = (sentence: string): Class =>
  /: keeps the contract$/.test(sentence) ? 'keeps' : sentence.startsWith('cannot tell') ? 'cannot tell' : 'breaks';

interface Row extends RealLimiter {
  readonly expected: Class;
  /** The fault is smaller than those that a measurement must show. */
  readonly small: boolean;
  /** The first sentence through each network. */
  readonly sentences: Map<string, string>;
  asExpected: number;
  /** Right, but less is said: over a slow network or on a busy machine fewer faults can be proven. */
  less: number;
  wrong: number;
}

/** The class of the sentences that a pattern expects. */
const expectedOf = ({ says }: RealLimiter): Class => (says.test('burst 20: keeps the contract') ? 'keeps' : 'breaks');
const blank = (limiter: RealLimiter, expected: Class, small = false): Row => ({
  ...limiter,
  expected,
  small,
  sentences: new Map(),
  asExpected: 0,
  less: 0,
  wrong: 0,
});

using real = await realLimiters(join(import.meta.dirname, '../../../.cache/limiters'));
const table = [
  ...real.limiters.map((limiter) => blank(limiter, expectedOf(limiter))),
  ...rows.map((row, index) => {
    const sentence = sentenceOf(row, networks['0 ms'], 1);
    const size = Number(/by (\d+)%/.exec(sentence)?.[1] ?? 100);
    return blank({ ...row, url: `/${index}` }, classOf(sentence), size < 20);
  }),
];
const agent = new Agent({ keepAlive: true });
const loads: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  for (const name of tried) {
    const { port, end } = await printing(process.execPath, [join(import.meta.dirname, 'serve-rows.ts')]);
    await Promise.all(
      table.map(async (row, index) => {
        const url = row.url.startsWith('/') ? `http://127.0.0.1:${port}${row.url}` : row.url;
        const options = { network: networks[name], seed: round * 1000 + index, agent, delayMs: index * apartMs };
        const sentence = describeJudgement(judge(limit, await observe(url, limit, options)));
        const observed = classOf(sentence);
        if (row.says.test(sentence)) row.asExpected += 1;
        else if (observed === row.expected || observed === 'cannot tell' || (row.small && observed === 'keeps'))
          row.less += 1;
        else {
          row.wrong += 1;
          process.stdout.write(`WRONG ${row.does}, ${name}: ${sentence}\n`);
        }
        if (!row.sentences.has(name)) row.sentences.set(name, sentence);
      }),
    );
    end();
    loads.push(loadavg()[0] ?? 0);
    process.stdout.write(
      `round ${round}, ${name}: ${count('asExpected')} as expected, ${count('less')} less, ${count('wrong')} wrong\n`,
    );
  }
}

function count(what: 'asExpected' | 'less' | 'wrong'): number {
  return table.reduce((sum, row) => sum + row[what], 0);
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const lines = [
  '# Limiters and what is said of them',
  '',
  `By \`npm run load:table\`: ${table.length} limiters, ${real.limiters.length} of them real ones, each measured ${rounds} times through each of ${tried.length} networks (${tried.join('; ')}) over real`,
  `sockets, in real time, on a machine of ${cpus().length} cores with a load of ${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)}. _As expected_: the sentence is the one that the limiter should get. _Less_: right, but with less said, or`,
  'undecided, because the network or the machine hides the rest; a fault below 20% may go unseen. _Wrong_: a right limiter called wrong, or the other way round.',
  '',
  `${count('asExpected')} sentences are as expected, ${count('less')} say less, ${count('wrong')} are wrong.`,
  ...(real.missing.length > 0 ? ['', `Not here: ${real.missing.join('; ')}.`] : []),
  '',
  '| limiter | as expected | less | wrong | what is said of it, without a network |',
  '| --- | --- | --- | --- | --- |',
  ...table.map(
    ({ does, asExpected, less, wrong, sentences }) =>
      `| ${cell(does)} | ${asExpected} | ${less} | ${wrong} | ${cell(sentences.get('0 ms') ?? '')} |`,
  ),
  '',
];
writeFileSync(join(import.meta.dirname, 'limiters.md'), lines.join('\n'));
agent.destroy();
process.exitCode = count('wrong') === 0 ? 0 : 1;
