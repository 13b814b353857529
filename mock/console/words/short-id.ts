const uuid = /\b(?:[a-z]+-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** The last four characters of a UUID. Other ids are short already and stay whole. */
export const shortId = (id: string) => (id !== '' && id.replace(uuid, '') === '' ? `…${id.slice(-4)}` : id);

/** A text with its ids shortened. */
export const withShortIds = (text: string) => text.replace(uuid, shortId);
