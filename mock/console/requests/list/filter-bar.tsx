import { useState } from 'react';
import { operationIds } from '../../../../spec/operations.ts';
import type { Exchange } from '../../control/control-types.ts';
import { InputField } from '../../fields/input-field.tsx';
import { SelectField } from '../../fields/select-field.tsx';
import { hrefWith, replaceParams } from '../../navigation/route.ts';
import type { JournalFilter } from './journal-filter.ts';

interface FilterBarProps {
  readonly filter: JournalFilter;
  /** The choices come from these exchanges. */
  readonly exchanges: readonly Exchange[];
}

const distinct = (values: readonly (string | null)[]) =>
  [...new Set(values)].filter((value): value is string => value !== null).sort();

/** The filter of the list. All of it is in the URL. */
export function FilterBar({ filter, exchanges }: FilterBarProps) {
  const inTenant = exchanges.filter(({ tenant }) => filter.tenant === '' || tenant === filter.tenant);
  const keys = distinct(inTenant.map(({ key }) => key));
  const tenants = distinct(exchanges.map(({ tenant }) => tenant));
  const statuses = distinct(exchanges.map(({ reply }) => String(reply.status)));
  const count = Object.values(filter).filter((value) => value !== '').length;
  const [open, setOpen] = useState(false);
  return (
    <search className="filters" data-open={open}>
      <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        {count === 0 ? 'Filter' : `Filter (${count})`}
      </button>
      <Choice label="Tenant" value={filter.tenant} options={tenants} param="tenant">
        <option value="-">no known key</option>
      </Choice>
      <Choice label="Key" value={filter.key} options={keys} param="key" />
      <Choice label="Operation" value={filter.operation} options={operationIds} param="operation" />
      <Choice label="Status" value={filter.status} options={statuses} param="status">
        <option value="refused">refused</option>
        <option value="2xx">2xx</option>
        <option value="4xx">4xx</option>
        <option value="5xx">5xx</option>
      </Choice>
      <InputField
        label="Text"
        className="grow"
        type="search"
        placeholder="in URL, bodies or reason"
        value={filter.text}
        onText={(text) => replaceParams({ text })}
      />
      {count > 0 && (
        <a className="button" href={hrefWith({ tenant: null, key: null, operation: null, status: null, text: null })}>
          Show all
        </a>
      )}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly param: string;
  readonly children?: React.ReactNode;
}

function Choice({ label, value, options, param, children }: ChoiceProps) {
  // The chosen value stays in the list even if no exchange has it any more.
  const extra = value !== '' && !options.includes(value) && !/^(-|refused|\dxx)$/.test(value) ? [value] : [];
  return (
    <SelectField
      label={label}
      value={value}
      onText={(chosen) => replaceParams({ [param]: chosen })}
      options={[...extra, ...options]}
    >
      <option value="">all</option>
      {children}
    </SelectField>
  );
}
