import { hooks } from '../../spec/files/hooks.ts';
import { parseTarget } from '../../spec/files/target.ts';

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

/** A target file with all fields, from which every script can be generated. */
export const completeTarget = parseTarget(
  {
    baseUrl: 'https://example.invalid',
    tenants: ['acme', 'globex'].map((name, index) => ({
      name,
      keys: [
        {
          name: 'full',
          secret: `placeholder-${name}`,
          scopes: [
            'conversation:read',
            'conversation:write',
            'client:read',
            'client:write',
            'site:read',
            'site:write',
            'siteFile:write',
          ],
        },
        { name: 'none', secret: `placeholder-${name}-none` },
        { name: 'old', secret: `placeholder-${name}-old`, revoked: true },
        {
          name: 'limits',
          secret: `placeholder-${name}-limits`,
          scopes: ['conversation:read', 'site:write'],
          use: 'limits',
        },
      ],
      conversations: { open: id(1 + index), closed: id(3 + index) },
      sites: { current: `ovaid-${id(5 + index)}`, legacy: `1004${index}` },
      clientSite: { client: `ovcid-${id(7 + index)}`, site: `ovaid-${id(5 + index)}` },
      spareLabel: { id: id(9), name: 'spare' },
      spareLabels: [{ id: `10000000-0000-4000-8000-00000000000${index}`, name: 'second spare' }],
      privateLabels: [
        { id: `20000000-0000-4000-8000-00000000000${index}`, name: 'private', on: ['conversations.open'] },
      ],
    })),
    hooks: Object.fromEntries(Object.keys(hooks.shape).map((name) => [name, 'true'])),
  },
  {},
  'completeTarget',
);
