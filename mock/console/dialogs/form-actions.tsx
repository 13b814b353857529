interface FormActionsProps {
  /** The label of the submit button. */
  readonly verb: string;
  readonly onCancel: () => void;
}

/** The buttons of a form in a dialog. */
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
