import { expect, it } from 'vitest';
import type { Exchange } from '../conformance/history/exchange.ts';
import { seedFromDocument } from '../mock/seed/seed-from-document.ts';
import { sampleMaker, withMadeTexts } from './made-texts.ts';
import { recordingOfTraffic } from './recording.ts';
import { seenIn } from './seen.ts';

/** Fifty kinds of text that tell of a person, each of which must not be in a written file. */
const personal = {
  'first name': 'Zdenka',
  'last name': 'Quackenbush',
  'full name': 'Zdenka Quackenbush',
  'name in another script': '小林 さくら',
  'name with marks': 'Þórgunnur Ægisdóttir',
  initials: 'Z. Q. Quackenbush III',
  title: 'Prof. Dr. Quackenbush',
  nickname: 'zdenka_q_1984',
  'maiden name': 'née Oberschulte',
  company: 'Quackenbush & Daughters Plumbing',
  'mail address': 'zdenka@quackenbush.example',
  'mail with a tag': 'zdenka+home@quackenbush.example',
  'quoted mail': '"Zdenka Q" <zq@mail.quackenbush.example>',
  'phone, international': '+442079460958',
  'phone, national': '(020) 7946-0958',
  'phone in words': 'call me at seven nine four six 0958',
  fax: 'Fax 020 7946 0959',
  street: '17 Rue des Oberschulte',
  'second line': 'c/o Zdenka, rear building, 3rd bell',
  city: 'Quackenbury-on-Sea',
  state: 'Oberschultia',
  'postal code': 'QB17 4ZQ',
  'whole address': '17 Rue des Oberschulte, QB17 4ZQ Quackenbury',
  coordinates: '51.5033640, -0.1276250',
  'door code': 'gate code 4471#',
  'key place': 'the key is under the blue pot',
  birthday: 'born on 3 May 1984',
  'date alone': '1984-05-03',
  passport: 'C01X00T47',
  'social security': '078-05-1120',
  'tax number': 'DE136695976',
  iban: 'DE89 3704 0044 0532 0130 00',
  'credit card': '4111 1111 1111 1111',
  'card end': 'card ending 1111, expires 04/29',
  'licence plate': 'B-ZQ 1984',
  'account number': 'customer no. 88-20417-Z',
  'insurance number': 'policy A-77120-QB',
  'ip address': '203.0.113.77',
  'mac address': '00:1B:44:11:3A:B7',
  'page of a person': 'https://social.example/@zdenka.quackenbush',
  'link with a token': 'https://files.example.org/u/zdenka?sig=a8f1c2',
  'file name': 'passport_quackenbush.jpg',
  'medical text': 'my asthma gets worse without heating',
  religion: 'not on Fridays, we go to the mosque',
  children: 'my son Bartholomew is alone after school',
  'work and hours': 'I am a night nurse at St. Oberschulte',
  'complaint of somebody': 'your technician Igor was rude to me',
  'html of a mail': '<p>Regards,<br>Zdenka Quackenbush</p>',
  'form data': 'name=Zdenka+Quackenbush&plz=QB17',
  'json in a text': '{"ssn":"078-05-1120"}',
  signature: '-- \nZdenka, 17 Rue des Oberschulte',
  'label that names somebody': 'never send Igor to Quackenbush',
} as const;
const texts = Object.values(personal);

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
let at = Date.UTC(2026, 0, 1);
const reply = (operation: Exchange['operation'], params: Record<string, string>, body: unknown): Exchange => ({
  n: at,
  script: 'test',
  operation,
  key: '$KEY_1',
  credential: 'key',
  params,
  method: 'GET',
  url: 'https://api.example/v1/x',
  requestHeaders: { 'x-api-key': '$KEY_1' },
  requestBody: null,
  requestBytes: 0,
  sentAt: at++,
  doneAt: at,
  status: 200,
  headers: {},
  body: JSON.stringify(body),
  failure: null,
  paced: true,
});

/** Every text in every field that a reply may show it in. */
const exchanges = texts.flatMap((text, n) => {
  const [site, client] = [`ovaid-${id(1000 + n)}`, `ovcid-${id(2000 + n)}`];
  const message = { author: text, role: text, text: `${text} `, rawBody: text, isInternal: false, createdAt: text };
  const attachments = [{ type: text, title: text, content: text, transcriptionId: text }];
  const person = { name: text, firstName: text, lastName: text, partnerName: text, createdAt: '2026-01-01T00:00:00Z' };
  const contacts = [{ id: id(3000 + n), value: text, label: text, isPrimary: true }];
  const other = { friendlyId: text, subject: text, status: text, issue: text, resolution: text, shortSummary: text };
  return [
    reply('listLabels', {}, { labels: [{ id: id(4000 + n), name: text }] }),
    reply('getConversation', { id: id(n) }, { id: id(n), friendlyId: text, subject: text, status: text, type: text }),
    reply(
      'getConversationContext',
      { id: id(n) },
      {
        subject: text,
        messages: [{ ...message, attachments }],
        status: text,
        type: text,
        urgency: text,
        requester: text,
        labels: [text],
        participants: { agents: [text], clients: [{ name: text, primaryPhoneNumber: text, primaryEmail: text }] },
        sites: [{ id: site, address: text, serviceLevel: text, associatedConversations: [other] }],
      },
    ),
    reply(
      'getSite',
      { id: site },
      {
        ...{ id: site, address1: text, address2: text, city: text, state: text, zip: text, businessName: text },
        ...{ brandId: text, clients: [{ id: client, ...person, emails: contacts, phoneNumbers: contacts }] },
      },
    ),
    reply('getClient', { id: client }, { id: client, ...person, emails: contacts, phoneNumbers: contacts }),
  ];
});

const seeds = async () => (await seenIn(recordingOfTraffic(exchanges))).seeds;
const heldIn = (value: unknown) => {
  const all: string[] = [];
  JSON.stringify(value, (_, one) => {
    if (typeof one === 'string') all.push(one.toLowerCase());
    return one;
  });
  return texts.filter((text) => all.some((one) => one.includes(text.trim().toLowerCase())));
};

it('leaves no personal text of fifty kinds in a fixture', async () => {
  expect(texts.length).toBeGreaterThanOrEqual(50);
  const was = await seeds();
  expect(heldIn(was)).toEqual(texts);
  const made = await withMadeTexts(was);
  expect(heldIn(made)).toEqual([]);
  for (const seed of made) await seedFromDocument(seed, seed.tenant);
});

it('keeps texts for whoever may', async () => {
  expect(heldIn(await withMadeTexts(await seeds(), { keepTexts: true }))).toEqual(texts);
});

it('replaces an id that holds a name or an address, and the label of a contact', async () => {
  const reads = [
    reply('getConversation', { id: id(1) }, { id: id(1), friendlyId: 'conv-Quackenbush_77', status: 'open' }),
    reply('getSite', { id: 'zdenka@quackenbush.example' }, { id: 'zdenka@quackenbush.example', brandId: 'b-17' }),
    reply(
      'getClient',
      { id: `ovcid-${id(2)}` },
      { name: 'Z. Quackenbush', emails: [{ id: id(3), value: 'z@q.example', label: 'grandma', isPrimary: true }] },
    ),
  ];
  const made = await withMadeTexts((await seenIn(recordingOfTraffic(reads))).seeds);
  expect(JSON.stringify(made)).not.toMatch(/quackenbush|zdenka|grandma/i);
  expect(made[0]).toMatchObject({ sites: [{ brandId: 'b-17' }], conversations: [{ status: 'open' }] });
});

it('reads names of properties that every object has', async () => {
  const body = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1},"toString":1,"subject":"No heat"}');
  const [seed] = (await seenIn(recordingOfTraffic([reply('getConversation', { id: id(1) }, body)]))).seeds;
  expect(seed?.conversations).toMatchObject([{ id: id(1), subject: 'No heat' }]);
});

it('leaves out a record whose id no fixture can hold, and keeps the kind of an id that it replaces', async () => {
  const reads = ['__proto__', 'ovaid-Quackenbush'].map((site) => reply('getSite', { id: site }, { id: site }));
  const link = reply(
    'applyClientSiteLabel',
    { clientId: 'no-client', siteId: 'ovaid-Quackenbush', labelId: id(9) },
    {},
  );
  const { seeds } = await seenIn(recordingOfTraffic([...reads, link]));
  expect(seeds.map(({ sites }) => sites)).toMatchObject([[{ id: 'ovaid-Quackenbush', clients: [] }]]);
  expect((await withMadeTexts(seeds))[0]?.sites).toMatchObject([{ id: 'ovaid-rec' }]);
});

it('leaves none in a sample of a profile', async () => {
  const made = await sampleMaker();
  expect(made({ owner: 'QUACKENBUSH', byMail: { 'zdenka@quackenbush.example': 1 }, mode: 'FULL' }, 'x')).toEqual({
    owner: expect.not.stringMatching(/quack/i),
    byMail: {},
    mode: 'FULL',
  });
  expect(heldIn(texts.map((text) => made({ owner: { text }, list: [text] }, 'record')))).toEqual([]);
  expect(made({ state: 'ACTIVE', on: true, since: '1984-05-03T00:00:00Z' }, 'record')).toEqual({
    state: 'ACTIVE',
    on: true,
    since: '2026-01-01T00:00:00Z',
  });
});

it('replaces the same text and the same id by the same one', async () => {
  const [was] = await seeds();
  const [made] = was === undefined ? [] : await withMadeTexts([was], { replaceIds: true });
  if (was === undefined || made === undefined) throw new Error('no tenant');
  const [conversation] = made.conversations;
  expect(conversation?.id).not.toBe(id(0));
  expect(conversation?.requester).toBe(conversation?.messages?.[0]?.author);
  expect(made.sites.map((site) => site.id)).toContain(conversation?.sites?.[0]);
  expect(JSON.stringify(made)).not.toMatch(/00000000-0000-4000-8000/);
  expect(made.sites.every((site) => site.id.startsWith('ovaid-'))).toBe(true);
});
