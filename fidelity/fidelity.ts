import type { Profile } from '../spec/files/profile-schema.ts';
import { operationIds } from '../spec/operations.ts';
import { yamlText } from '../spec/text/yaml-text.ts';
import { type Expressed, expressed, type Made } from './express.ts';
import { admissible, alikeIn, learn } from './learn.ts';
import { sampleMaker } from './made-texts.ts';
import type { Recording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import { seenIn } from './seen.ts';
import { inWords, noOperation, subjectOf, type Way, waysIn } from './ways.ts';

interface Side {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** How like a recorded deployment the mock is. */
export interface FidelityReport {
  /** Where the exchanges come from, and of which deployment they are. */
  readonly source: string;
  readonly deployment: string;
  /** Replies that were compared, and those of them that are alike. */
  readonly compared: number;
  readonly alike: number;
  readonly operations: readonly { readonly id: string; readonly compared: number; readonly alike: number }[];
  readonly ways: readonly {
    /** The operation, and the reason where the mock refuses. */
    readonly subject: string;
    /** `status`, a header, or the place in the body. */
    readonly at: string;
    readonly difference: string;
    readonly replies: number;
    /** The lines of a profile with which the mock would answer alike; null where none could say it. */
    readonly profile: string | null;
    /** Why not. */
    readonly why: string | null;
    /** The first two, side by side. */
    readonly exchanges: readonly {
      readonly n: number;
      readonly request: string;
      readonly recorded: Side;
      readonly mock: Side;
    }[];
  }[];
  /** What the mock could not be set up to know, so that nothing was compared. */
  readonly unknown: readonly { readonly what: string; readonly replies: number }[];
  /** What the recording shows of records and no fixture can hold. */
  readonly unheld: readonly { readonly what: string; readonly times: number }[];
  /** How many would be alike with what was learned; null where nothing was. */
  readonly learned: { readonly compared: number; readonly alike: number; readonly profile: Profile } | null;
  readonly exitCode: 0 | 1 | 3;
}

export interface FidelityOptions {
  readonly source: string;
  readonly profile?: Profile | undefined;
  /** The share of replies, from 0 to 1, below which the exit code is 1. */
  readonly atLeast?: number | undefined;
  /** Learn a profile that begins with this one. */
  readonly learnFrom?: Profile | undefined;
  /** Called now and then with how many exchanges were replayed, of how many. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Called before each round of learning, which replays everything. */
  readonly onRound?: ((round: number) => void) | undefined;
}

/** Replays a recording against a mock that was set up from it, and compares reply by reply. */
export async function measureFidelity(recording: Recording, options: FidelityOptions): Promise<FidelityReport> {
  const { source, profile = {}, atLeast = 0, learnFrom, onProgress, onRound } = options;
  const seen = await seenIn(recording);
  const replayed = await replay(recording, seen, {
    profile,
    onProgress: (done) => onProgress?.(done, recording.exchanges.length),
  });
  const made = await sampleMaker();
  const learned = learnFrom === undefined ? null : await learn(recording, seen, learnFrom, { made, onRound });
  const comparedIn = (all: readonly Replayed[]) => all.filter(({ unknown }) => unknown === null);
  const compared = comparedIn(replayed);
  const alike = alikeIn(replayed);
  const isBelow = compared.length > 0 && alike / compared.length < atLeast;
  return {
    source,
    deployment: recording.baseUrl,
    compared: compared.length,
    alike,
    operations: [...operationIds, 'storage', null].flatMap((id) => {
      const own = compared.filter(({ exchange }) => exchange.operation === id);
      return own.length === 0 ? [] : [{ id: id ?? noOperation, compared: own.length, alike: alikeIn(own) }];
    }),
    ways: waysIn(replayed).map((way) => ofWay(way, expressedAmong(way, replayed, recording, made))),
    unknown: [...Map.groupBy(replayed, ({ unknown }) => unknown)].flatMap(([what, all]) =>
      what === null ? [] : [{ what, replies: all.length }],
    ),
    unheld: [...seen.left].map(([what, times]) => ({ what, times })),
    learned: learned && {
      profile: learned.profile,
      compared: comparedIn(learned.replayed).length,
      alike: alikeIn(learned.replayed),
    },
    exitCode: compared.length === 0 ? 3 : isBelow ? 1 : 0,
  };
}

/** A mock has one reply for each reason. Where more replies are alike as it is, another would be no gain. */
function expressedAmong(way: Way, replayed: readonly Replayed[], recording: Recording, made: Made): Expressed {
  const others = replayed.filter((one) => one.refused === way.refused && one.mock && one.differences.length === 0);
  if (way.refused !== null && others.length > way.shownBy.length)
    return { why: `a profile has one reply for each reason, and ${others.length} others are alike as it is` };
  return admissible(expressed(way, recording, made));
}

function ofWay(way: Way, found: Expressed): FidelityReport['ways'][number] {
  return {
    subject: subjectOf(way),
    at: way.at,
    difference: inWords(way),
    replies: way.shownBy.length,
    profile: 'patch' in found ? yamlText(found.patch).trimEnd() : null,
    why: 'why' in found ? found.why : null,
    exchanges: way.shownBy.slice(0, 2).map(({ exchange, mock }: Replayed) => ({
      n: exchange.n,
      request: `${exchange.method} ${exchange.url}`,
      recorded: sideOf(exchange),
      mock: sideOf(mock ?? { status: null, headers: {}, body: null }),
    })),
  };
}

const sideOf = ({ status, headers, body }: Side): Side => ({ status, headers, body });
