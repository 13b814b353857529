import { useTenants } from '../control/reads.ts';
import { chooseTenant, useTenant } from '../navigation/tenant.ts';
import { Select } from './form.tsx';

/** The field that chooses a tenant, which has keys of its own. Nothing until the tenants are loaded. */
export function TenantSelect() {
  const tenant = useTenant();
  const { data: tenants = [] } = useTenants();
  if (tenant === null) return null;
  const options = tenants.map(({ name }) => name);
  return <Select label="Tenant" className="row" value={tenant} onText={chooseTenant} options={options} />;
}
