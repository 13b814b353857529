/** A write on one record must leave all others as they are. */
import type { RuleId } from '../../spec/rules.ts';
import { isUnavailable } from '../contract/judge.ts';
import { nowhere, valid } from '../contract/request.ts';
import type { Bench } from '../experiments/bench.ts';
import { recordOf } from '../experiments/learn.ts';
import { effectOf } from '../experiments/model.ts';
import type { RecordUnderTest } from '../experiments/record.ts';
import { examineStep } from '../experiments/write.ts';
import type { Trial } from '../history/exchange.ts';
import { holderKey, type LabelAct } from '../target/holder.ts';
import { keysFor } from '../target/keys.ts';
import { sparesOf, tenantsOf } from '../target/records.ts';
import { effectsOn } from './labels.ts';
import { type Generate, writtenRecords } from './script.ts';

type Records = readonly RecordUnderTest[];

const labelOf = (record: RecordUnderTest) => record.spares[0]?.id ?? '';
const carryingOf = (record: RecordUnderTest) => new Set([labelOf(record)]);

/** Each carries a label; one is written, and then all others are looked at. */
async function spreading(b: Bench, records: Records) {
  await Promise.all(records.map((record) => record.establish(b, carryingOf(record))));
  // Labels are listed whether they are carried or not.
  for (const tenant of new Set(records.map((record) => record.tenant)))
    for (const key of keysFor(b.deployment, 'listLabels', tenant).slice(0, 1))
      await b.send({ operation: 'listLabels', who: valid(key), place: nowhere });
  for (const record of b.shuffled(records)) {
    const [x = '', y] = record.spares.map(({ id }) => id);
    for (const act of ['remove', 'apply'] as const) await spread(b, record, act, x, records);
    if (y === undefined) continue;
    await spread(b, record, 'apply', y, records);
    await record.write(b, 'remove', y);
  }
  await Promise.all(records.map((record) => record.establish(b, new Set())));
}

/** Others carry the first label, which a removal may take off them, and lack the second, which may be put on them. */
async function spread(b: Bench, record: RecordUnderTest, act: LabelAct, label: string, records: Records) {
  const before = record.carried;
  if (isUnavailable(await record.write(b, act, label)))
    return void (await record.establish(b, record.after(act, label)));
  const questionOf = (other: RecordUnderTest) => (other.tenant === record.tenant ? label : labelOf(other));
  const looked = await Promise.all(
    records
      .filter((other) => other !== record)
      .map(async (other) => {
        const rule: RuleId = other.tenant === record.tenant ? effectOf(act) : 'isolation/writes-stay-in-tenant';
        return { other, rule, signs: await other.look(b, { rule, inQuestion: questionOf(other) }) };
      }),
  );
  for (const { other, rule, signs } of looked.filter((one) => one.signs.length > 0)) {
    const request = record.request(b, act, label);
    await examineStep(b, other, signs, {
      rule,
      before: carryingOf(other),
      after: carryingOf(other),
      act: async (alone: Bench, trial: Trial) => {
        await alone.send(request, { trial });
        record.carried = record.after(act, label);
        return [];
      },
      inQuestion: questionOf(other),
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
      title: 'while every record carries a label, a write on one leaves all others as they are',
      tries: [...effectsOn(null), 'labels/listing-gives-public-labels', 'isolation/writes-stay-in-tenant'],
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
