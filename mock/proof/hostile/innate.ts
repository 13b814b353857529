/** What every object has by birth, and nothing that is read may ever add to. */
export const innate = (): string =>
  JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype].map((each) => Object.getOwnPropertyNames(each)),
  );
