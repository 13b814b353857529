/** A place in a document: property names and positions. */
export type Path = readonly PropertyKey[];

/** A variable that a text refers to as `${NAME}`. */
interface NamedVariable {
  readonly path: Path;
  readonly name: string;
}

/** Whether a text is probably meant as a variable, in the form of a shell, of Windows or of a template. */
export const looksLikeVariable = (text: string): boolean =>
  /\$\{[^}]*[A-Za-z]|\{\{.*\}\}|^(?:\w+ )?(?:\$[A-Z_][A-Z\d_]*|\$\(\w+\)|%[A-Z_][A-Z\d_]*%)$/.test(text);

const placeholders = /\$\{([A-Za-z_]\w*)\}/g;

/**
 * Copies `value` and replaces each `${NAME}` in its texts by the environment variable of that name. Variables that are not set
 * stay as they are and are listed in `missing`, so that all are reported at once. `whole` lists the texts that consist of one
 * variable, and `mistaken` those that look like one in a form that is not replaced.
 */
export function substituteEnvironment(value: unknown, env: Readonly<Record<string, string | undefined>>) {
  const missing: NamedVariable[] = [];
  const whole: NamedVariable[] = [];
  const mistaken: Path[] = [];
  const walk = (part: unknown, path: Path): unknown => {
    if (typeof part === 'string') {
      if (looksLikeVariable(part.replace(placeholders, ''))) mistaken.push(path);
      return part.replace(placeholders, (placeholder, name: string) => {
        const replacement = env[name];
        if (replacement === undefined) missing.push({ path, name });
        else if (placeholder === part) whole.push({ path, name });
        return replacement ?? placeholder;
      });
    }
    if (Array.isArray(part)) return part.map((item, position) => walk(item, [...path, position]));
    if (typeof part === 'object' && part !== null) {
      return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, walk(item, [...path, name])]));
    }
    return part;
  };
  return { value: walk(value, []), missing, whole, mistaken };
}
