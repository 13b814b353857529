import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { ruleById } from '../../spec/rules.ts';
import { remedy } from '../../spec/text/nearest.ts';
import { backsOff } from './duties/back-off.ts';
import type { Duty } from './duties/duty.ts';
import { requestDuties } from './duties/requests.ts';
import { uploadDuties } from './duties/uploads.ts';
import { habitDuties, waitingDuties } from './duties/waiting.ts';
import type { ClientResult } from './findings.ts';
import { faults } from './variations/faults.ts';
import { freedoms } from './variations/freedoms.ts';
import type { Variation, Variations } from './variations/variation.ts';

/** Every duty, in the order of reports. */
export const duties: readonly Duty[] = [...requestDuties, ...uploadDuties, ...waitingDuties, backsOff, ...habitDuties];

const named = (kind: Variation['kind'], all: Variations): Variation[] =>
  Object.entries(all).map(([id, one]) => ({ ...one, id, kind }));

/** All variations. */
export const variations: readonly Variation[] = [...named('freedom', freedoms), ...named('fault', faults)];

type Kind = ClientResult['kind'];
const kinds: Readonly<Record<string, Kind>> = { duties: 'duty', freedoms: 'freedom', faults: 'fault' };

/** All duties and variations that `--only` can select, with their rules. */
export const everythingTried = () =>
  [
    ...duties.map(({ rule }) => ({ id: rule, kind: 'duty' as const, rule, title: ruleById(rule).rule })),
    ...variations.map(({ id, kind, rule, when }) => ({ id, kind, rule, title: `when ${when()}` })),
  ].map((one) => {
    const { provenance, level } = ruleById(one.rule);
    return { ...one, provenance, level };
  });

/** The list as text. */
export function listTable(): string {
  const all = everythingTried();
  const wide = Math.max(...all.map(({ id }) => id.length));
  return Object.entries(kinds)
    .map(([title, kind]) => {
      const lines = all
        .filter((one) => one.kind === kind)
        .map((one) => `  ${one.id.padEnd(wide)}  ${`${one.provenance}, ${one.level}`.padEnd(18)}  ${one.title}\n`);
      return `${title[0]?.toUpperCase()}${title.slice(1)}\n${lines.join('')}`;
    })
    .join('\n');
}

/** The selection of `--only`. Without it everything is selected. @throws ConfigurationError for a word that is neither a kind nor an id */
export function chosenBy(only: readonly string[]) {
  const known = [...Object.keys(kinds), ...everythingTried().map(({ id }) => id)];
  const unknown = only.find((text) => !known.includes(text));
  if (unknown !== undefined)
    throw new ConfigurationError([
      `--only ${unknown}: ${remedy(unknown, known, 'give duties, faults, freedoms, or an id of --list')}`,
    ]);
  return (kind: Kind, id: string) => only.length === 0 || only.some((text) => kinds[text] === kind || text === id);
}
