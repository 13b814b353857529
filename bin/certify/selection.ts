import { ConfigurationError } from '../../spec/files/configuration-error.ts';
import { ruleById } from '../../spec/rules.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { duties } from './duties/index.ts';
import { variations } from './variations/index.ts';

const kinds = { duties: 'duty', freedoms: 'freedom', faults: 'fault' } as const;

/** All duties and variations that `--only` can select, with their rules. */
export function everythingTried() {
  const all = [
    ...duties.map(({ rule }) => ({ id: rule, kind: 'duty' as const, rule, title: ruleById(rule).rule })),
    ...variations.map(({ id, kind, rule, when }) => ({ id, kind, rule, title: `when ${when()}` })),
  ];
  return all.map((one) => {
    const { provenance, level } = ruleById(one.rule);
    return { ...one, provenance, level };
  });
}

/** The list as text. */
export function listTable(): string {
  const all = everythingTried();
  const wide = Math.max(...all.map(({ id }) => id.length));
  const sections = Object.entries(kinds).map(([title, kind]) => {
    const lines = all
      .filter((one) => one.kind === kind)
      .map((one) => `  ${one.id.padEnd(wide)}  ${`${one.provenance}, ${one.level}`.padEnd(18)}  ${one.title}\n`);
    return `${title[0]?.toUpperCase()}${title.slice(1)}\n${lines.join('')}`;
  });
  return sections.join('\n');
}

/** The selection of `--only`. Without it everything is selected. */
export interface Chosen {
  duty(id: string): boolean;
  /** Whether any part of the variation is selected. */
  variation(id: string, kind: 'fault' | 'freedom'): boolean;
  part(id: string, kind: 'fault' | 'freedom', part: string): boolean;
}

/** @throws ConfigurationError for a word that is neither a kind nor an id */
export function chosenBy(only: readonly string[]): Chosen {
  const ids = [...duties.map(({ rule }) => rule), ...variations.map(({ id }) => id)];
  for (const text of only) {
    const [id = ''] = text.startsWith('client/') || text.startsWith('service/') ? [text] : text.split('/');
    if (Object.hasOwn(kinds, id) || ids.includes(id)) continue;
    const meant = nearest(id, [...Object.keys(kinds), ...ids]);
    const hint = meant === undefined ? 'give duties, faults, freedoms, or an id of --list' : `did you mean ${meant}?`;
    throw new ConfigurationError([`--only ${text}: ${hint}`]);
  }
  const all = only.length === 0;
  const ofKind = (kind: string) =>
    only.some((text) => Object.hasOwn(kinds, text) && kinds[text as keyof typeof kinds] === kind);
  const named = (id: string) => only.includes(id);
  return {
    duty: (id) => all || ofKind('duty') || named(id),
    variation: (id, kind) => all || ofKind(kind) || only.some((text) => text === id || text.startsWith(`${id}/`)),
    part: (id, kind, part) => all || ofKind(kind) || named(id) || named(`${id}/${part}`),
  };
}
