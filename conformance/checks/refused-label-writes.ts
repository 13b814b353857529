import type { CallOptions, CheckContext } from '../check.ts';
import { carries, expectControl, expectThat } from '../expect.ts';
import { membershipOf } from '../membership.ts';
import { Inconclusive } from '../outcome.ts';
import type { Reply } from '../reply.ts';
import { labelReader } from './label-reader.ts';
import type { LabelPlace } from './legal-calls.ts';

export interface RefusedWrites {
  /** How the writes differ from lawful ones: another key, none, other headers. */
  readonly refused: CallOptions;
  /** Judges the reply to such a write. */
  readonly expectRefused: (reply: Reply, what: string) => void;
  /** Both applying and removing are tried unless only removing is to be. */
  readonly only?: 'remove';
}

/**
 * Tries to apply and to remove a label in a way that must be refused, each beside the lawful write that succeeds, and
 * looks each time whether anything has changed. Needs `spareLabel` and the place's fact, which must be locked; uses
 * both of its operations and listLabels.
 */
export async function refusedLabelWrites(
  context: CheckContext,
  place: LabelPlace,
  { refused, expectRefused, only }: RefusedWrites,
): Promise<void> {
  const { call, borrow, given } = context;
  const { spareLabel } = given;
  const holder = place.holder(given);
  const { apply, remove, params } = membershipOf(holder, spareLabel.id);

  const before = await call(remove, { params });
  expectControl(before, 'removing, with the right key, a label that is not carried');
  const read = await labelReader(context, holder, before, spareLabel.id);

  await borrow(holder, spareLabel.id);
  if (only !== 'remove') {
    const clear = await read();
    if (!clear.planned && carries(clear, spareLabel))
      throw new Inconclusive('the control failed: the label is there before anything was applied');
    expectRefused(await call(apply, { params, ...refused }), 'applying a label');
    const untouched = await read();
    expectThat(
      untouched,
      !carries(untouched, spareLabel),
      'a refused apply changes nothing',
      'the label is carried after an apply that was refused',
    );
  }

  const applied = await call(apply, { params });
  expectControl(applied, 'applying the label with the right key');
  if (!applied.planned && !carries(applied, spareLabel))
    throw new Inconclusive(`${applied.what} does not show the label that it applied; give spareLabel.name`);
  // Whether it is read as it is stored is the business of other rules: here nothing could be told without.
  const shown = await read();
  if (!shown.planned && !carries(shown, spareLabel))
    throw new Inconclusive('the control failed: a label that was applied is not there when the labels are read');
  expectRefused(await call(remove, { params, ...refused }), 'removing a label');
  const kept = await read();
  expectThat(
    kept,
    carries(kept, spareLabel),
    'a refused removal changes nothing',
    'the label is gone after a removal that was refused',
  );
}
