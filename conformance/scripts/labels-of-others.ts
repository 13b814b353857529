/** A write on one record must leave all others as they are. */
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import type { Bench } from '../experiments/bench.ts';
import { recordOf } from '../experiments/learn.ts';
import { effectOf } from '../experiments/model.ts';
import type { RecordUnderTest } from '../experiments/record.ts';
import { examineStep } from '../experiments/write.ts';
import type { Trial } from '../history/exchange.ts';
import { holderKey, type LabelAct } from '../target/holder.ts';
import { sparesOf, tenantsOf } from '../target/records.ts';
import { effectsOn } from './labels.ts';
import { type Generate, writtenRecords } from './script.ts';

const labelOf = (record: RecordUnderTest) => record.spares[0]?.id ?? '';

/**
 * One after the other is given a label, and then loses it, and again in the order turned round; after each write all others are looked at. So each
 * write meets every other record with the label, and without it.
 */
async function spreading(b: Bench, records: readonly RecordUnderTest[]) {
  await Promise.all(records.map((record) => record.establish(b, new Set())));
  const order = b.shuffled(records);
  for (const all of [order, order.toReversed()]) {
    for (const act of ['apply', 'remove'] as const) for (const record of all) await spread(b, record, act, records);
  }
  await Promise.all(records.map((record) => record.establish(b, new Set())));
}

async function spread(b: Bench, record: RecordUnderTest, act: LabelAct, records: readonly RecordUnderTest[]) {
  const label = labelOf(record);
  const before = record.carried;
  if (isUnavailable(await record.write(b, act, label)))
    return void (await record.establish(b, record.after(act, label)));
  const looked = await Promise.all(
    records
      // What is taken off one is taken off those that still carry it.
      .filter((other) => other !== record && (act === 'apply' || other.carried.size > 0))
      .map(async (other) => {
        const rule: RuleId = other.tenant === record.tenant ? effectOf(act) : 'isolation/writes-stay-in-tenant';
        return { other, rule, signs: await other.look(b, { rule, inQuestion: labelOf(other) }) };
      }),
  );
  for (const { other, rule, signs } of looked.filter((one) => one.signs.length > 0)) {
    const request = record.request(b, act, label);
    await examineStep(b, other, signs, {
      rule,
      before: other.carried,
      after: other.carried,
      act: async (alone: Bench, trial: Trial) => {
        await alone.send(request, { trial });
        record.carried = record.after(act, label);
        return [];
      },
      inQuestion: labelOf(other),
      other: { record, state: before },
    });
    await record.establish(b, record.after(act, label));
  }
}

/** The script about all records together. */
export const otherRecordsScripts: Generate = function* (deployment) {
  const all = tenantsOf(deployment).flatMap((tenant) =>
    sparesOf(tenant).length === 0 ? [] : writtenRecords(deployment, tenant).map((known) => ({ known, tenant })),
  );
  if (all.length > 1)
    yield {
      id: 'labels/others',
      title: 'a write on one record leaves all others as they are, with the label and without it',
      tries: [...effectsOn(null), 'isolation/writes-stay-in-tenant'],
      locks: all.map(({ known }) => holderKey(known.holder)),
      writes: 'labels',
      async run(b) {
        const records: RecordUnderTest[] = [];
        for (const { known, tenant } of all) records.push(await recordOf(b, known, tenant));
        await spreading(
          b,
          records.filter(({ isSeen }) => isSeen),
        );
      },
    };
};
