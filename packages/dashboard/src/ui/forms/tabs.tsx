import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFilters } from '../layout/urls.ts';

export type Tab = { name: string; title: string; content: ReactNode };

/** Tabs whose choice the address holds; the first one is open when it says nothing. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [search, change] = useFilters();
  const open = tabs.find(({ name }) => name === search.tab)?.name ?? tabs[0]?.name;
  return (
    <Radix.Root value={open} onValueChange={(tab) => change({ tab })}>
      <Radix.List aria-label={label} className="mb-6 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ name, title }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="-mb-px shrink-0 border-b-2 border-transparent px-3 py-2.5 text-sm font-medium text-quiet hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} className="space-y-6">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
