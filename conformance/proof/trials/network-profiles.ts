/** Random latencies in milliseconds, one way. */
export interface NetworkProfile {
  readonly id: string;
  readonly words: string;
  readonly latency: (random: () => number) => number;
  /** Whether the connection of a request drops before it is sent. */
  readonly drops?: (random: () => number) => boolean;
  /** Whether no request is lost or late, so that every rule can be judged. */
  readonly calm: boolean;
}

export const networkProfiles: readonly NetworkProfile[] = [
  { id: 'none', words: '0 ms', latency: () => 0, calm: true },
  { id: 'near', words: '80 ms there and back', latency: () => 40, calm: true },
  {
    id: 'jittery',
    words: '400 ms there and back with heavy jitter',
    latency: (random) => 80 - 120 * Math.log(1 - random()),
    calm: false,
  },
  {
    id: 'late',
    words: '40 ms there and back, one in fifty 2 s late',
    latency: (random) => 20 + (random() < 0.01 ? 2_000 : 0),
    calm: false,
  },
];
