/** The instants, in ms, at which a client sends; it never waits for replies. */
export type Plan = readonly number[];

const volley = (at: number, count: number): Plan => Array.from({ length: count }, (_, i) => at + i * 0.05);

const steady = (from: number, seconds: number, rate: number): Plan =>
  Array.from({ length: Math.floor(seconds * rate) }, (_, i) => from + (i * 1000) / rate);

/** The shapes of load that scenarios and checks use. */
export const plans = {
  'volley, then overload': [...volley(0, 60), ...steady(50, 60, 15)],
  'steady overload': steady(0, 60, 15),
  paced: steady(0, 60, 10),
  'burst, idle, burst': [0, 4000, 8000].flatMap((at) => volley(at, 60)),
  // Not 5: a request at every second token falls in step with the refill, and may never meet the others of a shared bucket.
  modest: steady(0, 30, 4.9),
  'for 50 rps': [...volley(0, 250), ...steady(50, 20, 75)],
} satisfies Record<string, Plan>;
