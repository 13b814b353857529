/** What is to be reached, and what a short run on a busy machine must reach all the same. */
interface Goal {
  readonly what: string;
  readonly relation: 'at least' | 'at most';
  readonly bound: number;
  /** A bound with a margin that noise alone never exceeds; null if a short run does not check it. */
  readonly shortBound: number | null;
  readonly unit: string;
}

const goal = (
  what: string,
  relation: Goal['relation'],
  bound: number,
  unit: string,
  shortBound: number | null = null,
): Goal => ({ what, relation, bound, unit, shortBound });

export const goals = {
  context: goal('GET context, against bare node:http', 'at least', 0.8, '×', 0.3),
  labelPut: goal('PUT label, against bare node:http', 'at least', 0.8, '×', 0.25),
  throttled: goal('429, against bare node:http', 'at least', 0.8, '×', 0.3),
  p99: goal('p99 at half load, against bare node:http', 'at most', 1.5, '×'),
  peers: goal('GET context, against the fastest peer', 'at least', 4, '×'),
  startMock: goal('`partnerkit mock` to the first 200, against bare node:http', 'at most', 1.6, '×', 6),
  startMsw: goal("`import 'partnerkit/msw'` to the first reply, against msw alone", 'at most', 1.15, '×', 4),
  startHelp: goal('`partnerkit --help`, against an empty Node', 'at most', 1.4, '×', 6),
  startCompletion: goal('`partnerkit completion bash`, against an empty Node', 'at most', 1.4, '×', 6),
  startInProcess: goal(
    '`createMock()` in a process that is up, with the import, to the first reply',
    'at most',
    25,
    'ms',
    250,
  ),
  tenant: goal('a tenant of its own for a test', 'at most', 1, 'ms', 20),
  startLarge: goal('start with 1,000,000 conversations', 'at most', 8, 's'),
  flat: goal('GET context at 1,000,000 conversations, against 1,000', 'at least', 0.9, '×'),
  conversationMemory: goal('memory per conversation beyond its own JSON', 'at most', 2, 'KB'),
  listeners: goal('GET context while 5,000 follow the live journal, median', 'at most', 5, 'ms'),
  keys: goal('GET context over 10,000 keys with live buckets, against one key', 'at least', 0.75, '×'),
  upload: goal('upload of 1 GiB, against a bare hashing sink', 'at least', 0.8, '×'),
  uploadMemory: goal('memory growth over that upload', 'at most', 32, 'MB'),
  conformanceTime: goal('conformance run at 10 requests a second', 'at most', 60, 's'),
  conformanceUnlimited: goal('conformance run against a mock without limits', 'at most', 1.5, 's'),
  pacing: goal('k6 at 10 requests a second: lateness of a request, p99', 'at most', 10, 'ms'),
  // k6 is ended at 2 GB; the rest is the command's own.
  hostileReply: goal('`load run`, k6 included, while each reply of 50 KB unpacks to 50 MB', 'at most', 2304, 'MB'),
  memory: goal('resident after 1,000,000 requests, journal on', 'at most', 120, 'MB'),
} as const satisfies Record<string, Goal>;

export type GoalId = keyof typeof goals;

/** Whether a figure reaches the goal. */
export function reaches({ relation, bound }: { relation: Goal['relation']; bound: number }, figure: number): boolean {
  return relation === 'at least' ? figure >= bound : figure <= bound;
}
