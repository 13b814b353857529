/** The values for `${{ ... }}` that action.yml uses: `inputs.x` and `steps.x.outputs.y`. */
interface ActionContext {
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** @throws Error for other expressions, which only a real runner understands */
export function evaluate(text: string, { inputs, outputs }: ActionContext): string {
  return text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const input = /^inputs\.([\w-]+)$/.exec(expression)?.[1];
    if (input !== undefined && input in inputs) return inputs[input] ?? '';
    const [, step = '', output = ''] = /^steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? [];
    if (step !== '') return outputs.get(step)?.get(output) ?? '';
    throw new Error(`action.yml: nobody gives \${{ ${expression} }}`);
  });
}
