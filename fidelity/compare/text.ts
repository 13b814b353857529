import { counted } from '../../conformance/counted.ts';
import { curlOf, placeholdersIn } from '../../conformance/history/curl.ts';
import { type Exchange, objectIn } from '../../conformance/history/exchange.ts';
import { explained, keyPlaceholder } from '../../conformance/target/secrets.ts';
import type { Target } from '../../spec/files/target.ts';
import { terminalText } from '../../spec/text/terminal-text.ts';
import { unredacted } from '../recording.ts';
import type { Compared } from './compare.ts';
import type { Asked } from './sequence.ts';
import { stepWords } from './steps.ts';

/** What a person has to know of a side. */
export interface Named {
  /** Such as the name of the target file. */
  readonly name: string;
  readonly target: Target;
  /** The address to print for a mock, whose own one ends with the command. */
  readonly printed?: string;
}

/** The result for people: each way in which the two differ, with the shortest sequence that shows it, as commands that run as printed. */
export function comparedText(compared: Compared, a: Named, b: Named): string {
  const { seed, sequences, wanted, replies, ways, stopped, left } = compared;
  const many = (count: number) => counted(count, 'reply', 'replies');
  const lines = [
    `A  ${a.name}, ${a.target.baseUrl}`,
    `B  ${b.name}${b.printed ? '' : `, ${b.target.baseUrl}`}`,
    '',
    `${replies.alike} of ${many(replies.alike + replies.differ)} alike in ${counted(sequences, 'sequence')}${ways.length > 0 ? `; they differ in ${counted(ways.length, 'way')}` : ''} (seed ${seed}).`,
    ...(replies.untold > 0 ? [`${many(replies.untold)} could not be compared.`] : []),
    ...(stopped !== null || sequences < wanted
      ? [`It ended early: ${stopped ?? `the time was up before ${wanted} sequences`}.`]
      : []),
    ...left.map((what) => `Not undone: ${what}`),
    ...ways.flatMap(({ operation, difference: { at, recorded, mock }, seen, sequence }, i) => [
      '',
      `${i + 1}. ${operation}: ${at} is ${recorded} in A, ${mock} in B (${many(seen)})`,
      ...[
        ...sequence.map(({ step, ...both }) => `${stepWords(step)}: A ${both.a.status}, B ${both.b.status}`),
        ...['# A', ...commandsOf(sequence, 'a', a), '# B', ...commandsOf(sequence, 'b', b)],
      ].map((line) => `   ${line}`),
    ]),
  ];
  return `${terminalText(lines.join('\n'))}\n`;
}

/** The requests of one side for a shell. What a start has answered is kept in variables. */
function commandsOf(sequence: readonly Asked[], side: 'a' | 'b', { target, printed }: Named): string[] {
  const later = new Map<string, string>();
  const secrets = new Map(
    target.tenants.flatMap(({ keys }, t) => keys.map(({ secret }, k) => [keyPlaceholder(target, t, k), secret])),
  );
  /** The secrets of a mock are fakes, which can be printed. */
  const ofMock = (exchange: Exchange, address: string) =>
    unredacted(curlOf(exchange, later), secrets).replaceAll(target.baseUrl, address);
  const ofDeployment = (exchange: Exchange) =>
    explained(curlOf(exchange, new Map([...placeholdersIn(JSON.stringify(exchange)), ...later])), target);
  return sequence.flatMap((asked, i) => {
    const exchange = asked[side];
    const command = printed === undefined ? ofDeployment(exchange) : ofMock(exchange, printed);
    const uses = sequence.slice(i + 1).some(({ step }) => step.operation === 'storage' || step.file === 'started');
    const { fileKey, uploadUrl } = exchange.operation === 'startSiteFileUpload' && uses ? objectIn(exchange) : {};
    if (typeof fileKey !== 'string' || typeof uploadUrl !== 'string') return [command];
    later.set(fileKey, 'FILE_KEY').set(uploadUrl, 'UPLOAD_URL');
    const field = (name: string) => `sed -n 's/.*"${name}": *"\\([^"]*\\)".*/\\1/p' <<< "$STARTED"`;
    return [
      `STARTED=$(${command}); echo "$STARTED"`,
      `FILE_KEY=$(${field('fileKey')}); UPLOAD_URL=$(${field('uploadUrl')})`,
    ];
  });
}
