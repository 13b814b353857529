import { type ComponentProps, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { operationIds } from '../../../spec/operations.ts';
import type { Exchange } from '../control/control.ts';
import { useListener } from '../control/use-listener.ts';
import { hrefWith, replaceParams } from '../navigation/route.ts';
import { Button } from '../parts/buttons.tsx';
import { Input, Select } from '../parts/form.tsx';
import { type JournalFilter, kinds, noKey } from './journal-filter.ts';

/** A value that filters the list of requests by itself. */
export function Only({ values, ...link }: ComponentProps<'a'> & { values: Record<string, string | null> }) {
  const text = Object.values(values).join('/');
  return (
    <a href={hrefWith(values)} title={`Only ${text}`} {...link}>
      {link.children ?? text}
    </a>
  );
}

const statuses = [...Object.keys(kinds), '2xx', '4xx', '5xx'];
const distinct = (values: readonly (string | null)[]) =>
  [...new Set(values)].filter((value): value is string => value !== null).sort();

/** The filter of the list, with what these exchanges have as choices. All of it is in the URL. The key `/` leads to its search. */
export function FilterBar({ filter, exchanges }: { filter: JournalFilter; exchanges: readonly Exchange[] }) {
  const [open, setOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const { tenant } = filter;
  const choices = useMemo(() => {
    const inTenant = exchanges.filter((exchange) => tenant === '' || exchange.tenant === tenant);
    return {
      Tenant: [noKey, ...distinct(exchanges.map((exchange) => exchange.tenant))],
      Key: distinct(inTenant.map(({ key }) => key)),
      Operation: operationIds,
      Status: [...statuses, ...distinct(exchanges.map(({ reply }) => String(reply.status)))],
    };
  }, [exchanges, tenant]);
  useListener<KeyboardEvent>('keydown', (event) => {
    if (event.key !== '/' || (event.target as Element).matches('input, select, textarea')) return;
    event.preventDefault();
    // A hidden field takes no focus.
    flushSync(() => setOpen(true));
    bar.current?.querySelector('input')?.focus();
  });
  const count = Object.values(filter).filter((value) => value !== '').length;
  return (
    <search ref={bar} className="row end filters" data-open={open}>
      <Button label={count > 0 ? `Filter (${count})` : 'Filter'} aria-expanded={open} onClick={() => setOpen(!open)} />
      {Object.entries(choices).map(([label, values]) => {
        const name = label.toLowerCase() as keyof JournalFilter;
        const value = filter[name];
        return (
          <Select
            key={name}
            label={label}
            value={value}
            onText={(chosen) => replaceParams({ [name]: chosen })}
            // The chosen value stays in the list even if no exchange has it any more.
            options={[['', 'all'], ...new Set([value, ...values].filter(Boolean))]}
          />
        );
      })}
      <Input
        label="Search"
        className="grow"
        type="search"
        placeholder="URL, body, reason ( / )"
        value={filter.text}
        onText={(text) => replaceParams({ text })}
      />
    </search>
  );
}
