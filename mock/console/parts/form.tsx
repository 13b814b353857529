import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { useAction } from '../control/reads.ts';
import { Button } from './buttons.tsx';
import { Problem } from './text.tsx';

/** @param onText is called with each new value, where it is not read only when the form is sent */
type Field<E extends 'input' | 'select'> = Omit<ComponentProps<E>, 'onChange'> & {
  readonly label: string;
  readonly onText?: (text: string) => void;
};

interface InputProps extends Field<'input'> {
  /** What is wrong with the value. */
  readonly problem?: string | null;
}

/** An input with its label, and below it what is wrong with its value. */
export function Input({ label, className = '', onText, problem = null, ...input }: InputProps) {
  const id = useId();
  return (
    <label className={`field ${className}`}>
      {label}
      <input
        {...input}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : id}
        onChange={(event) => onText?.(event.target.value)}
      />
      {problem !== null && (
        <span id={id} role="alert" className="wrong">
          {problem}
        </span>
      )}
    </label>
  );
}

interface SelectProps extends Field<'select'> {
  /** The choices: values, or values with their text. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
}

/** A list of choices with its label. */
export const Select = ({ label, className = '', onText, options, ...select }: SelectProps) => (
  <label className={`field ${className}`}>
    {label}
    <select {...select} onChange={(event) => onText?.(event.target.value)}>
      {options.map((option) => {
        const [given, text] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={given} value={given}>
            {text}
          </option>
        );
      })}
    </select>
  </label>
);

/** A box to be ticked, with what it means. */
export const Choice = ({ children, ...input }: ComponentProps<'input'>) => (
  <label className="choice">
    <input type="checkbox" {...input} />
    <span>{children}</span>
  </label>
);

interface FormProps {
  /** The label of the button that sends the form. */
  readonly verb: string;
  /** Gets the values of the fields by their names. In a dialog, which it closes, false keeps that open. */
  readonly act: (values: Readonly<Record<string, string>>, form: FormData) => unknown;
  /** True for a field with its button in one line. */
  readonly inline?: boolean;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

/** Closes the dialog that a form is in. */
export const Closing = createContext<(() => void) | undefined>(undefined);

/** A form: its fields, its buttons, and what went wrong. It is not sent while a field shows a problem. */
export function Form({ verb, act, inline = false, danger = false, children }: FormProps) {
  const close = useContext(Closing);
  const { run, failure } = useAction(async (form: FormData) => {
    if ((await act(Object.fromEntries(form) as Record<string, string>, form)) !== false) close?.();
  });
  return (
    <form
      className={inline ? 'row end' : 'stack'}
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = event.currentTarget.querySelector<HTMLElement>('[aria-invalid]');
        if (wrong === null) void run(new FormData(event.currentTarget));
        else wrong.focus();
      }}
    >
      {children}
      <Problem text={failure?.message ?? null} />
      <div className="row actions">
        {close && <Button label="Cancel" onClick={close} />}
        <Button asks label={verb} type="submit" className={danger ? 'danger' : inline ? undefined : 'primary'} />
      </div>
    </form>
  );
}
