/** How likely chance shows what a run has counted. */

/** The logarithms of the factorials: those of some hundred are no finite numbers, and a long run counts thousands. */
const logFactorials = [0];

/** The logarithm of the ways to choose k of n. */
function logChoose(n: number, k: number): number {
  for (let i = logFactorials.length; i <= n; i++) logFactorials.push((logFactorials[i - 1] ?? 0) + Math.log(i));
  const [all = 0, chosen = 0, others = 0] = [n, k, n - k].map((i) => logFactorials[i]);
  return all - chosen - others;
}

/** Fisher's exact test, one side: how likely k or more of n are by chance, where j of m controls show the same. */
export function likelihood(k: number, n: number, j: number, m: number): number {
  const all = k + j;
  let tail = 0;
  for (let i = Math.max(k, all - m); i <= Math.min(n, all); i++)
    tail += Math.exp(logChoose(n, i) + logChoose(m, all - i) - logChoose(n + m, all));
  return tail;
}

/** How likely k or more of n are, if each happens with this probability. */
export function tailOf(k: number, n: number, probability: number): number {
  let sum = 0;
  for (let i = k; i <= n; i++)
    sum += Math.exp(logChoose(n, i) + i * Math.log(probability) + (n - i) * Math.log1p(-probability));
  return sum;
}

/** The smallest share of wrong replies that n replies would miss with less than 5%. */
export const smallestShare = (n: number): number => (n === 0 ? 1 : 1 - 0.05 ** (1 / n));
