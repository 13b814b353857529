/** A UUID of version 4 from a seeded source of randomness, which crypto.randomUUID does not allow. */
export function uuidFrom(random: () => number): string {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (Number(digit) ^ (Math.floor(random() * 16) & (15 >> (Number(digit) / 4)))).toString(16),
  );
}
