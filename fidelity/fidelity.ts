import type { Exchange } from '../conformance/history/exchange.ts';
import type { Profile } from '../spec/files/profile-schema.ts';
import { operationIds } from '../spec/operations.ts';
import { yamlText } from '../spec/text/yaml-text.ts';
import { comparedHeaders } from './alike.ts';
import { type Expressed, expressed, ordersFor } from './express.ts';
import { admissible, alikeIn, learn } from './learn.ts';
import { sampleMaker } from './made-texts.ts';
import type { Recording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import { seenIn } from './seen.ts';
import { inWords, noOperation, subjectOf, type Way, waysIn } from './ways.ts';

/** How like a recorded deployment the mock is. */
export type FidelityReport = Awaited<ReturnType<typeof measureFidelity>>;

export interface FidelityOptions {
  readonly source: string;
  readonly profile?: Profile | undefined;
  /** The share of replies, from 0 to 1, below which the exit code is 1. */
  readonly atLeast?: number | undefined;
  /** Learn a profile that begins with this one. */
  readonly learnFrom?: Profile | undefined;
}

/** Replays a recording against a mock that was set up from it, and compares reply by reply. */
export async function measureFidelity(recording: Recording, options: FidelityOptions) {
  const { source, profile = {}, atLeast = 0, learnFrom } = options;
  const seen = await seenIn(recording);
  const replayed = await replay(recording, seen, profile);
  const made = await sampleMaker();
  const learned = learnFrom === undefined ? null : await learn(recording, seen, learnFrom, made);
  const figure = figureOf(replayed);
  /** Where the mock refuses others of this reason alike, this one has another reason too, which is checked first. */
  const expressedAmong = (way: Way) => {
    const isAlike = (one: Replayed) => one.refused === way.refused && one.mock !== null && one.differences.length === 0;
    const [order] = replayed.some(isAlike) ? ordersFor(way, profile) : [];
    return admissible(order ? { patch: order } : expressed(way, recording, made));
  };
  const isBelow = figure.compared > 0 && figure.alike / figure.compared < atLeast;
  const exitCode: 0 | 1 | 3 = figure.compared === 0 ? 3 : isBelow ? 1 : 0;
  return {
    /** Where the exchanges come from, and of which deployment they are. */
    source,
    deployment: recording.target.baseUrl,
    ...figure,
    operations: [...operationIds, 'storage' as const, null].flatMap((id) => {
      const own = figureOf(replayed.filter(({ exchange }) => exchange.operation === id));
      return own.compared === 0 ? [] : [{ id: id ?? noOperation, ...own }];
    }),
    ways: waysIn(replayed).map((way) => ofWay(way, expressedAmong(way))),
    /** What the mock could not be set up to know, so that nothing was compared. */
    unknown: [...Map.groupBy(replayed, ({ unknown }) => unknown)].flatMap(([what, all]) =>
      what === null ? [] : [{ what, replies: all.length }],
    ),
    /** How many would be alike with what was learned; null where nothing was. */
    learned: learned && { profile: learned.profile, ...figureOf(learned.replayed) },
    exitCode,
  };
}

/** Replies that were compared, and those of them that are alike. */
const figureOf = (replayed: readonly Replayed[]) => ({
  compared: replayed.filter(({ unknown }) => unknown === null).length,
  alike: alikeIn(replayed),
});

function ofWay(way: Way, found: Expressed) {
  return {
    /** The operation, and the reason where the mock refuses. */
    subject: subjectOf(way),
    /** `status`, a header, or the place in the body. */
    at: way.at,
    difference: inWords(way),
    replies: way.shownBy.length,
    /** The lines of a profile with which the mock would answer alike, or why none could say it. */
    profile: 'patch' in found ? yamlText(found.patch).trimEnd() : null,
    why: 'why' in found ? found.why : null,
    /** The first two, side by side. */
    exchanges: way.shownBy.slice(0, 2).map(({ exchange, mock }) => ({
      n: exchange.n,
      request: `${exchange.method} ${exchange.url}`,
      recorded: sideOf(exchange),
      mock: sideOf(mock ?? { status: null, headers: {}, body: null }),
    })),
  };
}

/** Other headers, such as set-cookie, may be secret. */
const sideOf = ({ status, headers, body }: Pick<Exchange, 'status' | 'headers' | 'body'>) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => comparedHeaders.includes(name))),
  body,
});
