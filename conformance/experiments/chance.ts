/** How likely chance shows what a run has counted. */

const choose = (n: number, k: number): number => {
  let product = 1;
  for (let i = 1; i <= k; i++) product *= (n - k + i) / i;
  return product;
};

/** Fisher's exact test, one side: how likely k or more of n are by chance, where j of m controls show the same. */
export function likelihood(k: number, n: number, j: number, m: number): number {
  const all = k + j;
  let tail = 0;
  for (let i = k; i <= Math.min(n, all); i++) if (all - i <= m) tail += choose(n, i) * choose(m, all - i);
  return tail / choose(n + m, all);
}

/** How likely k or more of n are, if each happens with this probability. */
export function tailOf(k: number, n: number, probability: number): number {
  let sum = 0;
  for (let i = k; i <= n; i++) sum += choose(n, i) * probability ** i * (1 - probability) ** (n - i);
  return sum;
}

/** The smallest share of wrong replies that n replies would miss with less than 5%. */
export const smallestShare = (n: number): number => (n === 0 ? 1 : 1 - 0.05 ** (1 / n));
