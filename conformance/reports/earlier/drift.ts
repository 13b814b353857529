import type { Profile } from '../../../spec/files/profile-schema.ts';
import { terminalLine } from '../../../spec/text/terminal-text.ts';
import { counted } from '../../counted.ts';

/** An answer at its place in a profile: `errors.unknown-label.status`. */
interface Answer {
  readonly place: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

/** What a deployment does now where the specification is silent, beside what it did when its profile was recorded. */
interface Drift {
  readonly same: number;
  readonly changed: readonly Answer[];
  /** Recorded, and not seen this time. */
  readonly unseen: readonly Answer[];
  /** Seen this time, and not recorded. */
  readonly added: readonly Answer[];
}

export function driftOf(recorded: Profile, seen: Profile): Drift {
  const [before, now] = [answersOf(recorded), answersOf(seen)];
  const all = [...new Set([...before.keys(), ...now.keys()])].map(
    (place): Answer => ({ place, recorded: before.get(place), now: now.get(place) }),
  );
  const both = all.filter(({ place }) => before.has(place) && now.has(place));
  const changed = both.filter((answer) => JSON.stringify(answer.recorded) !== JSON.stringify(answer.now));
  return {
    same: both.length - changed.length,
    changed,
    unseen: all.filter(({ place }) => !now.has(place)),
    added: all.filter(({ place }) => !before.has(place)),
  };
}

/** Every answer by its place; when and by whom a profile was recorded is none. */
function answersOf({ observed: _, ...profile }: Profile): Map<string, unknown> {
  const answers = new Map<string, unknown>();
  const walk = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) answers.set(place, value);
    else for (const [name, part] of Object.entries(value)) walk(part, place === '' ? name : `${place}.${name}`);
  };
  walk(profile, '');
  return answers;
}

/** A line per answer that is not as it was, and a sentence. */
export function driftText({ same, changed, unseen, added }: Drift): string {
  const words = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  // A profile file and the replies of a deployment may hold anything.
  const line = (text: string) => terminalLine(`  ${text}`);
  const section = (title: string, lines: readonly string[], most = lines.length) => {
    const more = lines.length - most;
    return lines.length === 0 ? [] : [title, ...lines.slice(0, most), ...(more > 0 ? [`  and ${more} more`] : []), ''];
  };
  return [
    ...section(
      'Changed',
      changed.map(({ place, recorded, now }) => line(`${place}: recorded ${words(recorded)}, now ${words(now)}`)),
    ),
    ...section(
      'Not seen this time',
      unseen.map(({ place, recorded }) => line(`${place}: recorded ${words(recorded)}`)),
      10,
    ),
    ...section(
      'Not recorded',
      added.map(({ place, now }) => line(`${place}: ${words(now)}`)),
      10,
    ),
    `${counted(same, 'recorded answer')} as before, ${changed.length} changed, ${unseen.length} not seen this time\n`,
  ].join('\n');
}
