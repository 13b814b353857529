import { z } from 'zod';
import { closedObject } from '../../../spec/files/closed-object.ts';
import type { Mock } from '../../create-mock.ts';
import { route } from '../control-route.ts';

const text = z.string();

export const wrongWay = z
  .object({
    id: text,
    rule: text.meta({ description: 'The rule of the contract that it breaks.' }),
    does: text.meta({ description: 'What such a deployment does.' }),
    sees: text.nullable().meta({ description: 'What a client sees.' }),
    kind: z.object({ code: z.int(), name: text }).nullable().meta({
      description: 'The kind of fault in Web Fuzzing Commons; null where it has none.',
    }),
  })
  .meta({ id: 'WrongWay', description: 'A way in which a deployment may break one rule.' });

const current = z
  .object({
    wrong: z
      .object({
        id: text,
        rule: text.nullable().meta({ description: 'The broken rule; null for a habit, which breaks none.' }),
        does: text,
        chance: z.number().meta({ description: 'How likely a request meets it.' }),
        seed: z.int().meta({ description: 'Which requests meet it, with a chance below 1.' }),
      })
      .nullable(),
  })
  .meta({ id: 'Wrong', description: 'What the mock does wrongly on purpose; null for nothing.' });

const choice = closedObject({
  id: text.optional().meta({ description: 'A way of being wrong.' }),
  habit: text.optional().meta({ description: 'Instead of an id: an unusual way of keeping every rule.' }),
  chance: z.number().gt(0).lte(1).optional().meta({ description: 'How likely a request meets it; 1 by default.' }),
  seed: z.int().min(1).optional().meta({ description: 'Which requests meet it. The same seed chooses the same.' }),
})
  .refine(({ id, habit }) => (id === undefined) !== (habit === undefined), 'must have id or habit')
  .refine(({ id, chance, seed }) => id !== undefined || (chance ?? seed) === undefined, 'chance and seed need an id')
  .meta({ id: 'WrongChoice', description: 'A way of being wrong, or a habit.', minProperties: 1 });

export function wrongView({ wrong }: Mock) {
  if (wrong === undefined) return { wrong: null };
  const { id, rule = null, does, chance = 1, seed = 1 } = wrong;
  return { wrong: { id, rule, does, chance, seed } };
}

export const wrongRoutes = [
  route('getWrong', 'GET /wrong', 'Read what the mock does wrongly. On purpose: one rule that it breaks, or a habit.', {
    reply: current,
    run: ({ mock }) => wrongView(mock),
  }),
  route(
    'breakRule',
    'PUT /wrong',
    'Break one rule. From now on, in place of the way before; with a chance now and then. The journal names it, as a fault, at each exchange that it changes.',
    {
      body: choice,
      reply: current,
      async run({ mock, wrong, body: { id, habit = '', chance, seed } }) {
        const ways = await wrong();
        mock.setWrong(id === undefined ? ways.habit(habit) : ways.wrong(id, { chance, seed }));
        return wrongView(mock);
      },
    },
  ),
  route('keepRules', 'DELETE /wrong', 'Keep all rules again. What was done meanwhile stays.', {
    run: ({ mock }) => mock.setWrong(undefined),
  }),
  route(
    'listWrongWays',
    'GET /wrong/ways',
    'List the ways of being wrong. Each with the rule that it breaks, and what a client sees. A habit keeps every rule, in an unusual way.',
    {
      reply: z.object({ ways: z.array(wrongWay), habits: z.array(z.object({ id: text, does: text })) }),
      async run({ wrong }) {
        const { listedWays, habits } = await wrong();
        return { ways: await listedWays(), habits };
      },
    },
  ),
];
