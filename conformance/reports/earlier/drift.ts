import type { Profile } from '../../../spec/files/profile-schema.ts';
import { terminalLine } from '../../../spec/text/terminal-text.ts';
import { counted } from '../../counted.ts';

/** One value of a profile. */
interface Answer {
  /** `errors.unknown-label.status` */
  readonly place: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

/** How a deployment's answers to open questions differ from its recorded profile. */
interface Drift {
  readonly same: number;
  readonly changed: readonly Answer[];
  /** In the recorded profile, but not seen this time. */
  readonly unseen: readonly Answer[];
  /** Seen this time, but not in the recorded profile. */
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

/** Every value by its place, without `observed`, which only says when and where the profile was recorded. */
function answersOf({ observed: _, ...profile }: Profile): Map<string, unknown> {
  const answers = new Map<string, unknown>();
  const walk = (value: unknown, place: string) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) answers.set(place, value);
    else for (const [name, part] of Object.entries(value)) walk(part, place === '' ? name : `${place}.${name}`);
  };
  walk(profile, '');
  return answers;
}

/** A line per changed answer, then a summary. */
export function driftText({ same, changed, unseen, added }: Drift): string {
  const words = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  // Profiles and replies may hold control characters.
  const line = (text: string) => terminalLine(`  ${text}`);
  const section = (title: string, lines: readonly string[], maxLines = lines.length) => {
    const more = lines.length - maxLines;
    return lines.length === 0
      ? []
      : [title, ...lines.slice(0, maxLines), ...(more > 0 ? [`  and ${more} more`] : []), ''];
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
