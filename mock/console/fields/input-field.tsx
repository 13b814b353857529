import type { ComponentProps } from 'react';

interface InputFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: string;
  /** Called with each new value. */
  readonly onText: (text: string) => void;
}

/** An input with its label. */
export const InputField = ({ label, className = '', onText, ...input }: InputFieldProps) => (
  <label className={`field ${className}`}>
    {label}
    <input {...input} onChange={(event) => onText(event.target.value)} />
  </label>
);
