import { expect, it } from 'vitest';
import { virtualMock } from '../proof/trials/virtual-mock.ts';
import { cleanup } from './cleanup.ts';
import { memoryJournal, type WriteJournal } from './write-journal.ts';

const spare = '1abe1008-0000-4000-8000-000000000008';

/** A mock whose DELETE answers 500 while `broken.now`, as if the runner had been killed before it could undo its writes. */
async function withoutWayBack() {
  const broken = { now: true };
  const world = await virtualMock({
    around:
      ({ handle }) =>
      async (request, trace) =>
        request.method === 'DELETE' && broken.now ? { status: 500, headers: {}, body: '{}' } : handle(request, trace),
  });
  /** The labels of the open conversation. */
  const carried = async () => {
    const { baseUrl, tenants } = world.target;
    const url = `${baseUrl}/v1/conversation/${tenants[0]?.conversations?.open}/context`;
    const headers = { 'x-api-key': tenants[0]?.keys[0]?.secret ?? '' };
    const reply = await world.environment.send(
      { method: 'GET', url, headers, body: null },
      { timeoutMilliseconds: 1e4 },
    );
    return JSON.parse(new TextDecoder().decode(reply.body)).labels;
  };
  const before = await carried();
  const journal = memoryJournal();
  // The state after a run that was killed after its first write.
  const id = world.target.tenants[0]?.conversations?.open ?? '';
  await journal.borrowed({ tenant: 'acme', holder: { kind: 'conversation', id }, label: spare });
  await world.environment.send(
    {
      method: 'PUT',
      url: `${world.target.baseUrl}/v1/conversation/${id}/label/${spare}`,
      headers: { 'x-api-key': world.target.tenants[0]?.keys[0]?.secret ?? '' },
      body: null,
    },
    { timeoutMilliseconds: 1e4 },
  );
  return { ...world, broken, before, journal, carried };
}

it('undoes what a killed run left', async () => {
  const { target, environment, journal, broken, before, carried } = await withoutWayBack();
  expect(await carried()).toEqual([...before, 'spare'].sort());
  broken.now = false;
  const { returned, left } = await cleanup(target, { environment, journal });
  expect(left).toEqual([]);
  expect(returned).toEqual([
    'label 1abe1008-0000-4000-8000-000000000008 on conversation c0000001-0000-4000-8000-000000000001 of acme',
  ]);
  expect(await carried()).toEqual(before);
  expect(await journal.pending()).toEqual([]);
});

it('waits for a run that is still going on', async () => {
  const { target, environment, journal, broken, before, carried } = await withoutWayBack();
  broken.now = false;
  const order: string[] = [];
  const turn: NonNullable<WriteJournal['turn']> = async ({ onWait }) => {
    onWait?.({ pid: 1, host: 'here', since: '2026-01-01T00:00:00.000Z' });
    expect(await carried()).not.toEqual(before);
    return async () => void order.push('the turn ends');
  };
  const onTurn = ({ pid }: { pid: number }) => order.push(`waits for ${pid}`);
  await cleanup(target, { environment, journal: { ...journal, turn }, onTurn });
  expect(await carried()).toEqual(before);
  expect(order).toEqual(['waits for 1', 'the turn ends']);
});

it('takes a label that the run made up, and that the deployment does not know, as undone', async () => {
  const { target, environment, journal, broken } = await withoutWayBack();
  broken.now = false;
  const id = target.tenants[0]?.conversations?.open ?? '';
  const label = '469b502c-f974-4c77-9c02-ef30669655d7';
  await journal.borrowed({ tenant: 'acme', holder: { kind: 'conversation', id }, label });
  expect((await cleanup(target, { environment, journal })).left).toEqual([]);
  expect(await journal.pending()).toEqual([]);
});

it('keeps what it could not undo, and says why', async () => {
  const { target, environment, journal } = await withoutWayBack();
  const { returned, left } = await cleanup(target, { environment, journal });
  expect(returned).toEqual([]);
  expect(left[0]?.why).toMatch(/^DELETE removeConversationLabel: 500$/);
  expect(await journal.pending()).toHaveLength(1);
});

it('names what the target file lacks', async () => {
  const { target, environment, journal, broken } = await withoutWayBack();
  broken.now = false;
  const [acme, globex] = target.tenants;
  const other = { ...target, tenants: globex ? [globex] : [] };
  expect((await cleanup(other, { environment, journal })).left[0]?.why).toBe('the target file has no tenant acme');
  const keyless = {
    ...target,
    tenants: acme ? [{ ...acme, keys: acme.keys.filter(({ name }) => name === 'none') }] : [],
  };
  expect((await cleanup(keyless, { environment, journal })).left[0]?.why).toBe(
    'by the target file no key of acme may undo it: undo it by hand',
  );
});

it('removes a label again once an unanswered write can no longer arrive', async () => {
  const { target, environment, mock } = await virtualMock();
  const tenant = mock.tenants.get('acme');
  const conversation = tenant?.conversations.get(target.tenants[0]?.conversations?.open ?? '');
  const label = tenant?.records.labels.get(spare);
  if (tenant === undefined || conversation === undefined || label === undefined) throw new Error('no fixtures');
  const journal = memoryJournal();
  const entry = {
    tenant: 'acme',
    holder: { kind: 'conversation', id: conversation.id },
    label: spare,
    until: environment.now() + 20_000,
  } as const;
  await journal.borrowed(entry);
  const before = [...tenant.labelsOf(conversation)];
  environment.sleep(10_000).then(() => tenant.applyLabel(conversation, label));

  const waits: number[] = [];
  const { left, returned } = await cleanup(target, {
    environment,
    journal,
    onWait: (ms) => waits.push(ms),
  });
  expect({ left, returned: returned.length }).toEqual({ left: [], returned: 1 });
  expect(waits).toEqual([20_000]);
  expect([...tenant.labelsOf(conversation)]).toEqual(before);
  expect(await journal.pending()).toEqual([]);
});

it('goes on after an entry of a missing record', async () => {
  const { target, environment } = await virtualMock();
  const journal = memoryJournal();
  const holder = { kind: 'site', id: 'gone' } as const;
  await journal.borrowed({ tenant: 'acme', holder, label: spare });
  await journal.borrowed({ tenant: 'acme', holder: { ...holder, id: '10042' }, label: spare });
  const { left, returned } = await cleanup(target, { environment, journal });
  expect(returned).toEqual([`label ${spare} on site 10042 of acme`]);
  expect(left[0]?.why).toBe('DELETE removeSiteLabel: 404');
  expect(await journal.pending()).toHaveLength(1);
});
