import type { Faker } from '@faker-js/faker';
import type { TenantSeed } from '../mock/seed/schema.ts';
import { isId, isPropertyName, isTime } from './alike.ts';
import type { Made } from './express.ts';

/** Words of the product's own vocabulary, such as a status: `open`, `IN_PROGRESS`, `On hold`. */
const isWord = (text: string) => /^(?:[a-z]+(?:[-_][a-z]+)*|[A-Z]+(?:_[A-Z]+)*|[A-Z][a-z]+(?: [a-z]+)?)$/.test(text);
const vocabulary = /^(?:status|type|urgency|role|serviceLevel|visibility)$/;
/** Words of a deployment's own properties, which are for programs. */
const isCode = (text: string, name: string) =>
  /(?:status|state|type|kind|level|role|code|mode|reason|category|priority|urgency|tier|source|channel|currency)$/i.test(
    name,
  ) && /^(?:[a-z]+(?:[-_][a-z]+)*|[A-Z]+(?:_[A-Z]+)*)$/.test(text);

/** Whether a text that a profile takes over as it is, such as the words of a refusal, may tell of a person. */
export const mayTellOfPerson = (text: string, people: ReadonlySet<string>): boolean =>
  /\S@\p{L}|:\/\//u.test(text) || people.has(text.toLowerCase()) || wordsOf(text).some((word) => people.has(word));

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** What people are called, as a whole and word by word, and how to reach them. */
export function peopleIn(recorded: unknown): Set<string> {
  const people = new Set<string>();
  JSON.stringify(recorded, (name, value) => {
    if (typeof value === 'string' && /^(?:author|requester|name|firstName|lastName|partnerName|value)$/.test(name))
      for (const part of [value.toLowerCase(), ...(name === 'value' ? [] : wordsOf(value))]) people.add(part);
    return value;
  });
  return people;
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export interface MadeOptions {
  /** Texts stay as they were recorded. */
  readonly keepTexts?: boolean;
  /** Ids are replaced too, the same id by the same one everywhere. */
  readonly replaceIds?: boolean;
}

/**
 * The tenants with made texts in place of everything that a person wrote or that tells of a person: names, mail addresses, telephone
 * numbers, addresses, labels, subjects, messages. The same text becomes the same one everywhere. Kinds stay: an address of a page remains one,
 * and an empty text stays empty.
 */
export async function withMadeTexts(seeds: readonly TenantSeed[], options: MadeOptions = {}): Promise<TenantSeed[]> {
  const { keepTexts = false, replaceIds = false } = options;
  const maker = new TextMaker(
    (await import('@faker-js/faker/locale/en')).faker,
    seeds.map(({ keys: _, labels: __, ...records }) => records),
  );
  const value = (one: unknown, name: string, parent: string): unknown => {
    if (Array.isArray(one)) return one.map((item) => value(item, name, parent));
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, value(inner, key, name)]));
    if (typeof one === 'number') return keepTexts || name !== 'ext' ? one : 100;
    if (typeof one !== 'string' || one === '') return one;
    if (!identifying.test(name)) return keepTexts ? one : maker.text(one, name, parent);
    return replaceIds || !(keepTexts || maker.isNobody(one)) ? maker.id(one) : one;
  };
  if (!keepTexts) for (const { clients } of seeds) for (const client of clients) maker.addName(client);
  return seeds.map(({ tenant, keys, description: _, ...records }) => ({
    tenant,
    keys,
    ...(value(records, '', '') as Omit<TenantSeed, 'tenant' | 'keys'>),
  }));
}

/** A maker of the sample values of a profile, which is committed: only words of the product's vocabulary stay. */
export async function sampleMaker(): Promise<Made> {
  const maker = new TextMaker((await import('@faker-js/faker/locale/en')).faker, []);
  const made: Made = (value, name) => {
    if (Array.isArray(value)) return value.map((item) => made(item, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) => (isPropertyName(key) ? [[key, made(inner, key)]] : [])),
      );
    if (typeof value === 'number') return Number.isInteger(value) ? 1 : 1.5;
    if (typeof value !== 'string') return typeof value === 'boolean' ? value : null;
    if (value === '') return value;
    if (isTime(value)) return '2026-01-01T00:00:00Z';
    if (isId(value, name)) return maker.id(value);
    return isCode(value, name) ? value : maker.text(value, name, '');
  };
  return made;
}

/** Properties of a fixture that identify a record. */
const identifying = /^(?:id|client|clients|sites|agents|brandId|transcriptionId|friendlyId)$/;

class TextMaker {
  readonly #faker: Faker;
  readonly #made = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  /** Everything that was recorded or made: no text is made twice, or by chance as it was recorded. */
  readonly #taken = new Set<string>();
  readonly #people: ReadonlySet<string>;

  constructor(faker: Faker, recorded: unknown) {
    this.#faker = faker;
    faker.seed(1);
    this.#people = peopleIn(recorded);
    JSON.stringify(recorded, (_, value) => {
      if (typeof value === 'string') this.#taken.add(value.toLowerCase());
      return value;
    });
  }

  /** Whether an id tells of nobody. What has no digit, or blanks, or a word of a name, may be a name of somebody. */
  isNobody(id: string): boolean {
    return (
      isId(id, '') || (/^(?=.*\d)[\w.:-]{1,40}$/.test(id) && !mayTellOfPerson(id.replaceAll('_', ' '), this.#people))
    );
  }

  text(text: string, name: string, parent: string): string {
    if (isTime(text) || name === 'visibility') return text;
    if (vocabulary.test(name) && isWord(text) && !this.#people.has(text.toLowerCase())) return text;
    return this.#once(this.#made, text, () => this.#like(text, name, parent));
  }

  id(id: string): string {
    const digit = () => this.#faker.string.numeric({ length: 1, allowLeadingZeros: false });
    return this.#once(this.#ids, id.toLowerCase(), () =>
      uuids.test(id)
        ? id.replace(uuids, () => this.#faker.string.uuid())
        : id.replace(/^ov[ac]id-|\p{L}+/gu, (part) => (part.endsWith('-') ? part : 'rec')).replace(/\d/g, digit),
    );
  }

  /** A name of first and last name stays one of both. */
  addName({ name, firstName, lastName }: TenantSeed['clients'][number]): void {
    if (firstName === '' || lastName === '' || name !== `${firstName} ${lastName}`) return;
    const made = [this.text(firstName, 'firstName', ''), this.text(lastName, 'lastName', '')];
    this.#made.set(name, made.join(' '));
  }

  #once(known: Map<string, string>, text: string, make: () => string): string {
    for (let tries = 0; !known.has(text); tries++) {
      const made = make() + (tries > 20 ? ` ${tries}` : '');
      if (!this.#taken.has(made.toLowerCase())) known.set(text, made);
    }
    const made = known.get(text) ?? '';
    this.#taken.add(made.toLowerCase());
    return made;
  }

  #like(text: string, name: string, parent: string): string {
    const faker = this.#faker;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `https://files.example/${faker.string.alphanumeric(12)}`;
    if (name === 'label') return faker.word.noun();
    if (parent === 'emails' || /mail/i.test(name))
      return `${faker.string.alpha({ length: 8, casing: 'lower' })}@mail.example`;
    // Numbers of this form are kept for films and books.
    if (parent === 'phoneNumbers' || /phone/i.test(name))
      return `+1${faker.string.numeric({ length: 3, allowLeadingZeros: false })}55501${faker.string.numeric(2)}`;
    if (name === 'firstName') return faker.person.firstName();
    if (name === 'lastName') return faker.person.lastName();
    if (name === 'businessName' || name === 'partnerName') return faker.company.name();
    if (parent === 'labels' || name === 'labels') return `${faker.word.adjective()} ${faker.word.noun()}`;
    if (/^(?:name|author|requester)$/.test(name)) return `${faker.person.firstName()} ${faker.person.lastName()}`;
    if (/^address/.test(name)) return faker.location.streetAddress();
    if (name === 'city') return faker.location.city();
    if (name === 'state') return faker.location.state({ abbreviated: /^[A-Z]{2}$/.test(text) });
    if (name === 'zip') return faker.location.zipCode('#####');
    return faker.lorem.sentence(Math.min(60, text.split(/\s+/).length));
  }
}
