import type { RuleId } from '../../spec/rules.ts';
import type { Counts } from '../experiments/trial.ts';
import type { Exchange } from '../history/exchange.ts';
import type { ProfilePatch } from '../profile.ts';

/** One exchange that breaks a law. */
export interface Breach {
  readonly exchange: Exchange;
  /** In a few words that are understood without the code. */
  readonly expected: string;
  readonly observed: string;
  /** What else is known of it, in a sentence. */
  readonly note?: string;
  /** Further exchanges that are needed to understand the breach, such as the write before. */
  readonly with?: readonly Exchange[];
  /** How often it was shown, and how often without the request. */
  readonly counts?: Counts;
  /** Exchanges that show the same before anything was tried. */
  readonly same?: readonly Exchange[];
}

/** What is not as the contract says, and counts only if a trial shows it. */
export interface Doubt {
  readonly rule: RuleId;
  readonly sign: string;
  readonly words: string;
  readonly expected?: string;
  readonly observed?: string;
  /** Those that show it, outside outages. */
  readonly exchanges: readonly Exchange[];
  /** How often a request of this kind was answered. */
  readonly of: number;
}

/** All exchanges in which a rule was seen broken, each once: several trials show the same. */
export const brokenIn = (breaches: readonly Breach[]): readonly Exchange[] => [
  ...new Set(breaches.flatMap(({ exchange, same = [] }) => [exchange, ...same])),
];

/** The judgement of a law over a history. */
export interface Finding {
  /** Number of replies, holders, uploads or buckets that the law applied to. */
  readonly applied: number;
  readonly breaches: readonly Breach[];
  /** What the law could not decide and why, one sentence each. */
  readonly unclear?: readonly string[];
  /** Exchanges that show what the law could not decide. */
  readonly doubts?: readonly Breach[];
  /** What the deployment does where the specification is silent, in words and as part of its profile. */
  readonly answers?: readonly string[];
  readonly profile?: readonly ProfilePatch[];
}

/** What a history shows of one rule. */
export class Evidence {
  /** How often it was seen kept. */
  kept = 0;
  /** How many replies, or measurements, say something about what it leaves open. */
  asked = 0;
  readonly failures: Breach[] = [];
  /** What nobody could explain: the rule is inconclusive then, never kept. */
  readonly unclear: string[] = [];
  readonly doubts: Breach[] = [];
  readonly answers: string[] = [];
  readonly profile: ProfilePatch[] = [];

  broken(exchange: Exchange, expected: string, observed: string, others: readonly Exchange[] = []): void {
    this.failures.push({ exchange, expected, observed, with: others });
  }
}

/** A rule that conformance verifies. */
export interface Law {
  readonly id: RuleId;
  /** One sentence: what must hold for every exchange that the law applies to. */
  readonly title: string;
}
