import { useQuery } from '@tanstack/react-query';
import { control } from '../control/control.ts';
import { SelectField } from '../fields/select-field.tsx';

interface TenantSelectProps {
  readonly value: string;
  readonly onChange: (tenant: string) => void;
}

/** The field that chooses a tenant. */
export function TenantSelect({ value, onChange }: TenantSelectProps) {
  const { data: tenants = [] } = useQuery({ queryKey: ['tenants'], queryFn: control.tenants, refetchInterval: 5_000 });
  return (
    <SelectField label="Tenant" className="inline" value={value} onText={onChange}>
      {tenants.map(({ name, clonedFrom }) => (
        <option key={name} value={name}>
          {clonedFrom === null ? name : `${name} (copy of ${clonedFrom})`}
        </option>
      ))}
    </SelectField>
  );
}
