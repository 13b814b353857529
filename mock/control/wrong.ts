import { strictObject, z } from 'zod';
import { named, or, orNull, route, text } from './control-route.ts';

export const wrongWay = z
  .object({
    id: text,
    rule: text.meta({ description: 'The rule of the contract that it breaks.' }),
    does: text.meta({ description: 'What such a deployment does.' }),
    sees: text.nullable().meta({ description: 'What a client sees; null where our own runs miss it.' }),
    missed: text.nullable().meta({ description: 'Why our own runs miss it; null where they find it.' }),
    curl: z
      .array(text)
      .meta({ description: 'Commands that show it, one after the other; none where only a run shows it.' }),
    kind: z
      .object({ code: z.int(), name: text })
      .nullable()
      .meta({ description: 'The kind of fault in Web Fuzzing Commons; null where it has none.' }),
  })
  .meta(named('WrongWay', 'A way in which a deployment may break one rule.'));

export const wrongNow = z
  .object({
    id: text,
    rule: orNull.meta({ description: 'The broken rule; null for a habit, which breaks none.' }),
    does: text,
    chance: or(z.number(), 1).meta({ description: 'How likely a request meets it.' }),
    seed: or(z.int(), 1).meta({ description: 'Which requests meet it, with a chance below 1.' }),
  })
  .meta(named('Wrong', 'What the mock does wrongly on purpose.'));
const current = z.object({ wrong: wrongNow.nullable() });

const choice = strictObject({
  id: text.optional().meta({ description: 'A way of being wrong.' }),
  habit: text.optional().meta({ description: 'Instead of an id: an unusual way of keeping every rule.' }),
  chance: z.number().gt(0).lte(1).optional().meta({ description: 'How likely a request meets it; 1 by default.' }),
  seed: z.int().min(1).optional().meta({ description: 'Which requests meet it. The same seed chooses the same.' }),
})
  .refine(({ id, habit }) => (id === undefined) !== (habit === undefined), 'must have id or habit')
  .refine(({ id, chance, seed }) => id !== undefined || (chance ?? seed) === undefined, 'chance and seed need an id')
  .meta({ ...named('WrongChoice', 'A way of being wrong, or a habit.'), minProperties: 1 });

export const wrongRoutes = [
  route('getWrong', 'GET /wrong', 'Read what the mock does wrongly. On purpose: one rule that it breaks, or a habit.', {
    reply: current,
    run: ({ mock }) => ({ wrong: mock.wrong ?? null }),
  }),
  route(
    'breakRule',
    'PUT /wrong',
    'Break one rule. From now on, in place of the way before; with a chance now and then. The journal names it, as a fault, at each exchange that it changes.',
    {
      body: choice,
      reply: current,
      async run({ mock, wrong, body: { id, habit = '', ...chance } }) {
        const ways = await wrong();
        mock.setWrong(id === undefined ? ways.habit(habit) : ways.wrong(id, chance));
        return { wrong: mock.wrong };
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
      async run({ wrong, baseUrl }) {
        const { curlLines, listedWays, habits } = await wrong();
        const ways = await listedWays();
        return { ways: ways.map((way) => ({ ...way, curl: curlLines(way, baseUrl) })), habits };
      },
    },
  ),
];
