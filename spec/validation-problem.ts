/** A problem of a request or a reply. */
export interface ValidationProblem {
  /** The place, such as `path.labelId`, `body.labels[0].id`, `header.retry-after` or `status`. */
  readonly field: string;
  /** The keyword of JSON Schema that is broken (`required`, `type`, `format`, ...), or `status` for an undeclared status. */
  readonly keyword: string;
  /** A sentence that starts with the field and says what is expected. */
  readonly message: string;
}

/** An error of a generated validator: the fields of Ajv's error objects that are used here. */
interface CompiledError {
  readonly keyword: string;
  /** A JSON pointer into the data. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** A generated validator. After it has returned false, `errors` says why. */
export interface CompiledValidator {
  (data: unknown): boolean;
  readonly errors?: readonly CompiledError[] | null;
}

/** Names of the formats and types of the contract, for messages. */
const NAMES: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'a date and time with a time zone (RFC 3339)',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** The names of fields come from the sender, and may be megabytes long. */
const LONGEST_NAME = 100;

/** What is wrong, by the keyword of JSON Schema. */
const complaints: Readonly<Record<string, (params: CompiledError['params']) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not allowed',
  type: ({ type }) => `must be ${NAMES[String(type)] ?? type}`,
  format: ({ format }) => `must be ${NAMES[String(format)] ?? format}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  minimum: ({ limit }) => `must be at least ${limit}`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
};

/**
 * Runs a generated validator over one part of a message.
 * @param validator null where the contract takes anything
 * @param part the start of field names: `path`, `body` or `header`
 * @returns null if the data is valid
 */
export function problemsOf(
  validator: CompiledValidator | null,
  part: string,
  data: unknown,
): ValidationProblem[] | null {
  if (validator === null || validator(data)) return null;
  return (validator.errors ?? []).map(({ keyword, instancePath, params, message }) => {
    const { missingProperty, additionalProperty = missingProperty } = params;
    const steps = [
      ...instancePath.split('/').slice(1),
      ...(additionalProperty === undefined ? [] : [additionalProperty]),
    ];
    const field = part + steps.map((name) => step(String(name))).join('');
    const complaint = complaints[keyword]?.(params) ?? message ?? `breaks the rule ${keyword}`;
    return { field, keyword, message: `${field} ${complaint}` };
  });
}

/** A step of a path, as `[0]` or `.name`. No name in the contract needs the escapes of JSON pointers. */
function step(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return `.${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name}`;
}
