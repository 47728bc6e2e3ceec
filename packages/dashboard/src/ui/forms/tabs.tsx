import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Badge } from '../feedback/badge.tsx';
import { type SearchParams, useSearchParams } from '../layout/search-params.ts';

type TabName = NonNullable<SearchParams['tab']>;
type Tab<Name extends string> = {
  name: Name;
  title: string;
  content: ReactNode;
  /** What needs attention in it, in a word or two. */
  mark?: string | undefined;
};

/** Tabs that keep the selected one in the URL; the first is the default. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab<TabName>[] }) {
  const [search, setSearch] = useSearchParams();
  return <TabPanels {...{ label, tabs }} selected={search.tab} onSelect={(tab) => setSearch({ tab })} />;
}

type TabPanelsProps<Name extends string> = {
  label: string;
  tabs: Tab<Name>[];
  /** The first tab, if there is none of this name. */
  selected: Name | undefined;
  onSelect: (name: Name) => void;
};

/** Tabs whose selection is kept by the component that renders them. */
export function TabPanels<Name extends string>({ label, tabs, selected, onSelect }: TabPanelsProps<Name>) {
  // Radix makes ids of these, which names with spaces would break.
  const shown = Math.max(
    tabs.findIndex(({ name }) => name === selected),
    0,
  );
  const select = (index: string) => {
    const tab = tabs[Number(index)];
    if (tab) onSelect(tab.name);
  };
  return (
    // Opened by a click or Enter, not by focus: the page may ask something before it leaves a tab.
    <Radix.Root value={String(shown)} onValueChange={select} activationMode="manual">
      <Radix.List aria-label={label} className="mb-6 flex flex-wrap gap-1 border-line sm:border-b">
        {tabs.map(({ name, title, mark }, index) => (
          <Radix.Trigger
            key={name}
            value={String(index)}
            className="shrink-0 border-transparent px-3 py-2.5 text-sm max-sm:rounded-lg max-sm:py-2 max-sm:data-[state=active]:bg-accent-soft sm:-mb-px sm:border-b-2 font-medium text-quiet hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {title} {mark && <Badge tone="bad">{mark}</Badge>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }, index) => (
        <Radix.Content key={name} value={String(index)} className="space-y-6">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
