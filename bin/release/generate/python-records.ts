import { acmeKeys, acmeRecords } from '../../../mock/store/acme-records.ts';

/** `records.py` of the pytest plugin: the names that the TypeScript helpers have too, as Python writes names. */
export function renderPythonRecords(): string {
  const classes = Object.entries(acmeRecords).map(([kind, records]) => classOf(kind, Object.entries(records)));
  const keys = classOf(
    'keys',
    acmeKeys.map((name) => [name, name]),
  );
  return `# Generated from mock/store/acme-records.ts by \`npm run generate\`. Do not edit.
"""The records of the tenant acme in the mock, by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from ..named import Named
${[...classes, keys].join('')}`;
}

function classOf(kind: string, records: readonly (readonly [string, string])[]): string {
  const name = kind.charAt(0).toUpperCase() + kind.slice(1);
  const values = kind === 'keys' ? 'secrets' : 'ids';
  return `

@dataclass(frozen=True)
class ${name}(Named):
${records.map(([record]) => `    ${pythonName(record)}: str\n`).join('')}
    @classmethod
    def of(cls, ${values}: Mapping[str, str]) -> Self:
        return cls(
${records.map(([record, original]) => `            ${pythonName(record)}=${values}["${original}"],\n`).join('')}        )
`;
}

const pythonName = (name: string) => name.replaceAll(/\W/g, '_');
