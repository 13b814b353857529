/** An error message. Screen readers read it when it appears. */
export function Problem({ text }: { readonly text: string | null }) {
  return (
    <div role="alert" className="problem" hidden={text === null}>
      {text}
    </div>
  );
}
