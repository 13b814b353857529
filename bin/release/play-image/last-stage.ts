/** An instruction of a Dockerfile. */
interface Instruction {
  readonly name: string;
  /** Flags and arguments as written, on one line. */
  readonly text: string;
}

/** The instructions after the last FROM, which make the image. */
export function lastStage(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const instructions = lines.map((line) => {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { name: name.toUpperCase(), text };
  });
  return instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM') + 1);
}

/** The text of the instruction with this name. @throws Error if there is none */
export function only(stage: readonly Instruction[], name: string): string {
  const found = stage.find((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`Dockerfile: the last stage has no ${name}`);
  return found.text;
}

/** A command in JSON form, anywhere in the text. @throws Error for the form that needs a shell */
export function execForm(text: string): string[] {
  const start = text.indexOf('[');
  if (start < 0) throw new Error(`Dockerfile: "${text}" is not in JSON form: a shell would not pass signals on`);
  return JSON.parse(text.slice(start));
}
