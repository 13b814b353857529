/** A place in a document: property names and positions. */
export type Path = readonly PropertyKey[];

/** A variable that a text refers to as `${NAME}`. */
interface NamedVariable {
  readonly path: Path;
  readonly name: string;
}

/**
 * The name of the variable that was probably meant by a text in the form of a shell, of Windows or of a template; undefined for `${NAME}`, which is
 * replaced, and for any other text.
 */
export function meantVariable(text: string): string | undefined {
  const braced = [...text.matchAll(/\$\{\{?([^}]*)\}/g)].find(([all]) => !replaced.test(all))?.[1];
  const [, ...bare] =
    /^(?:\w+ )?(?:\$([A-Z_][A-Z\d_]*)|\$\((\w+)\)|%([A-Z_][A-Z\d_]*)%|\{\{(.*)\}\})$/.exec(text) ?? [];
  // What follows -, = and ? is a default or a message, and what stands before a dot is where the variable comes from.
  return (braced ?? bare.find((name) => name !== undefined))
    ?.split(/[-=?+|]/)[0]
    ?.match(/[A-Za-z_]\w*/g)
    ?.at(-1);
}

/** A text that is replaced as a whole. */
export const replaced = /^\$\{([A-Za-z_]\w*)\}$/;

/**
 * Copies `value` and replaces each `${NAME}` in its texts by the environment variable of that name. Variables that are not set
 * stay as they are and are listed in `missing`, so that all are reported at once. `whole` lists the texts that consist of one
 * variable, and `mistaken` those that look like one in another form.
 */
export function substituteEnvironment(value: unknown, env: Readonly<Record<string, string | undefined>>) {
  const missing: NamedVariable[] = [];
  const whole: NamedVariable[] = [];
  const mistaken: NamedVariable[] = [];
  const walk = (part: unknown, path: Path): unknown => {
    if (typeof part === 'string') {
      const meant = meantVariable(part);
      if (meant !== undefined) mistaken.push({ path, name: meant });
      return part.replace(/\$\{([A-Za-z_]\w*)\}/g, (placeholder, name: string) => {
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
