import type { ReactNode } from 'react';

interface SelectFieldProps {
  readonly label: string;
  readonly className?: string;
  readonly value: string;
  /** Called with each new value. */
  readonly onText: (value: string) => void;
  /** Options before the others. */
  readonly children?: ReactNode;
  /** Options whose text is their value. */
  readonly options?: readonly string[];
}

/** A list of choices with its label. */
export const SelectField = ({ label, className = '', value, onText, children, options = [] }: SelectFieldProps) => (
  <label className={`field ${className}`}>
    {label}
    <select value={value} onChange={(event) => onText(event.target.value)}>
      {children}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
);
