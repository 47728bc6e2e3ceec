import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { type SearchParams, useSearchParams } from '../layout/search-params.ts';

type TabName = NonNullable<SearchParams['tab']>;
type Tab = { name: TabName; title: string; content: ReactNode };

/** Tabs that keep the selected one in the URL; the first is the default. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [search, setSearch] = useSearchParams();
  const selected = tabs.find(({ name }) => name === search.tab) ?? tabs[0];
  const select = (value: string) => setSearch({ tab: tabs.find(({ name }) => name === value)?.name });
  return (
    <Radix.Root value={selected?.name} onValueChange={select}>
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
