/**
 * The lemma that every verdict rests on, for the solver z3, as SMT-LIB: no bucket that keeps the limit, and no times of decision
 * inside the observed intervals, give a history of `length` requests that the judge calls too lax or too strict.
 *
 * Requests are numbered in the order of decision, so that no order has to be tried. The unit of time is one refill: the rate is 1,
 * and the limit is `least` and `most`, the smallest and the largest honest bucket. All numbers are real, intervals and
 * times of decision arbitrary; what a refused or unanswered request took is free, and an unanswered one may be decided up to
 * `late` after its end. What is asked for is a counterexample; `unsat` is the proof.
 */
export function lemma(length: number, claim: 'too lax' | 'too strict' | 'too strict, unanswered ones late'): string {
  const all = Array.from({ length }, (_, index) => index);
  const each = (text: (i: number) => string) => all.map(text).join('\n');
  const sum = (terms: readonly string[]) => (terms.length > 1 ? `(+ ${terms.join(' ')})` : (terms[0] ?? '0.0'));
  const one = (condition: string) => `(ite ${condition} 1.0 0.0)`;
  const or = (parts: readonly string[]) => `(or false ${parts.join(' ')})`;
  const and = (parts: readonly string[]) => `(and true ${parts.join(' ')})`;

  const world = `
(declare-const least Real) (declare-const most Real) (declare-const capacity Real) (declare-const late Real)
(assert (and (>= least 1.0) (<= least capacity) (<= capacity most) (>= late 0.0)))
${each((i) => `(declare-const s${i} Real) (declare-const e${i} Real) (declare-const d${i} Real) (declare-const level${i} Real)`)}
${each((i) => `(declare-const admitted${i} Bool) (declare-const throttled${i} Bool) (declare-const refused${i} Bool) (declare-const unknown${i} Bool) (declare-const took${i} Bool)`)}
; One kind of reply each, and a decision in its interval.
${each((i) => `(assert (or (and admitted${i} (not throttled${i}) (not refused${i}) (not unknown${i})) (and (not admitted${i}) throttled${i} (not refused${i}) (not unknown${i})) (and (not admitted${i}) (not throttled${i}) refused${i} (not unknown${i})) (and (not admitted${i}) (not throttled${i}) (not refused${i}) unknown${i})))`)}
${each((i) => `(assert (and (<= s${i} e${i}) (<= s${i} d${i}) (<= d${i} (ite unknown${i} (+ e${i} late) e${i}))))`)}
${each((i) => (i === 0 ? '' : `(assert (<= d${i - 1} d${i}))`))}
; The bucket: full at first, refilled by 1 per unit up to its capacity; it admits where it holds a token and throttles where not.
(assert (= level0 capacity))
${each((i) => (i === 0 ? '' : `(assert (let ((refilled (+ level${i - 1} (ite took${i - 1} (- 1.0) 0.0) (- d${i} d${i - 1})))) (= level${i} (ite (<= refilled capacity) refilled capacity))))`))}
${each((i) => `(assert (=> took${i} (>= level${i} 1.0)))`)}
${each((i) => `(assert (and (=> admitted${i} took${i}) (=> throttled${i} (and (not took${i}) (< level${i} 1.0)))))`)}`;

  // Some window from the start of an admitted request to the end of one holds more of them than the largest bucket allows.
  const lax = or(
    all.flatMap((x) =>
      all.map((y) => {
        const inside = sum(all.map((k) => one(`(and admitted${k} (>= s${k} s${x}) (<= e${k} e${y}))`)));
        return `(and admitted${x} admitted${y} (<= s${x} e${y}) (> ${inside} (+ most (- e${y} s${x}))))`;
      }),
    ),
  );

  // Some 429 has fewer taken before it, in every window, than empty the smallest bucket.
  const isLate = claim === 'too strict, unanswered ones late';
  const takes = (i: number) => (isLate ? `(or admitted${i} refused${i} unknown${i})` : `(or admitted${i} refused${i})`);
  const end = (i: number) => (isLate ? `(ite unknown${i} (+ e${i} late) e${i})` : `e${i}`);
  const strict = or(
    all.map((k) => {
      const strays = isLate ? '0.0' : sum(all.map((j) => one(`(and unknown${j} (<= s${j} e${k}))`)));
      const windows = all.map((i) => {
        const taken = sum(all.map((j) => one(`(and ${takes(j)} (>= ${end(j)} s${i}) (<= s${j} e${k}))`)));
        const refill = `(ite (> s${k} ${end(i)}) (- s${k} ${end(i)}) 0.0)`;
        return `(=> (and ${takes(i)} (<= s${i} e${k})) (<= (- (+ ${taken} ${strays}) ${refill}) (- least 1.0)))`;
      });
      return `(and throttled${k} (<= ${strays} (- least 1.0)) ${and(windows)})`;
    }),
  );
  return `(set-logic QF_LRA)${world}\n(assert ${claim === 'too lax' ? lax : strict})\n(check-sat)\n`;
}
