import type { z } from 'zod';
import type { TenantSeed, tenantSeed } from './schema.ts';
import { seedFromDocument } from './seed-from-document.ts';

export { ConfigurationError } from '../../spec/files/configuration-error.ts';
export type { TenantSeed } from './schema.ts';

/** A tenant as in a fixture file. Records refer to labels by name, and to everything else by id. */
export type TenantInput = z.input<typeof tenantSeed>;

/**
 * Checks a tenant of your own: shapes, duplicate ids, references to records that do not exist.
 *
 *     const umbrella = await defineTenant({
 *       tenant: 'umbrella',
 *       keys: [{ name: 'full', secret: 'umbrella-fake-secret', scopes: ['site:read', 'site:write'] }],
 *       labels: [{ id: crypto.randomUUID(), name: 'vip', visibility: 'public' }],
 *       sites: [{ id: '20001', labels: ['vip'] }],
 *     });
 *     const mock = await createMock({ seeds: [umbrella] });
 *
 * @throws ConfigurationError with every problem, each with its record and field: `umbrella: sites[0].labels[0]: ...`
 */
export const defineTenant = (tenant: TenantInput): Promise<TenantSeed> => seedFromDocument(tenant, tenant.tenant);
