interface FormActionsProps {
  /** What the form does, on its button. */
  readonly verb: string;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog. */
export function FormActions({ verb, onCancel }: FormActionsProps) {
  return (
    <div className="actions">
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" className="primary">
        {verb}
      </button>
    </div>
  );
}
