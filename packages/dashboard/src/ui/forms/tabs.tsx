import { Tabs as Radix } from 'radix-ui';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
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
type TabGroup = { title: string; tabs: Tab<TabName>[] };

/** Tabs that keep the selected one in the URL; the first is the default. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab<TabName>[] }) {
  const [search, setSearch] = useSearchParams();
  return <TabPanels {...{ label, tabs }} selected={search.tab} onSelect={(tab) => setSearch({ tab })} />;
}

/** Too many tabs for a line: a list in groups beside what the selected one shows, or a line to scroll on small screens. */
export function GroupedTabs({ label, groups }: { label: string; groups: TabGroup[] }) {
  const [search, setSearch] = useSearchParams();
  const tabs = groups.flatMap((group) => group.tabs);
  const { root, shown } = useTabs({ tabs, selected: search.tab, onSelect: (tab) => setSearch({ tab }) });
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected tab is scrolled to whenever it is another one
  useEffect(() => scrollToSelected(list.current), [shown]);
  return (
    <Radix.Root
      {...root}
      orientation="vertical"
      className="lg:grid lg:grid-cols-[11rem_minmax(0,1fr)] lg:items-start lg:gap-10"
    >
      <Radix.List
        ref={list}
        aria-label={label}
        className="flex gap-1 max-lg:-mx-4 max-lg:mb-6 max-lg:overflow-x-auto max-lg:border-b max-lg:border-line max-lg:px-4 max-lg:[scrollbar-width:none] max-lg:sm:-mx-8 max-lg:sm:px-8 lg:sticky lg:top-9 lg:flex-col lg:gap-0.5"
      >
        {groups.map((group) => (
          <Fragment key={group.title}>
            <span aria-hidden className="px-2.5 pt-4 pb-1 text-xs font-medium text-quiet first:pt-0 max-lg:hidden">
              {group.title}
            </span>
            {group.tabs.map((tab) => (
              <Radix.Trigger
                key={tab.name}
                value={String(tabs.indexOf(tab))}
                className="shrink-0 px-3 py-2.5 text-left text-sm whitespace-nowrap text-quiet hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:font-medium data-[state=active]:text-ink max-lg:-mb-px max-lg:border-b-2 max-lg:border-transparent max-lg:font-medium max-lg:data-[state=active]:border-accent lg:rounded-lg lg:px-2.5 lg:py-[0.4375rem] lg:hover:bg-sunken lg:data-[state=active]:bg-accent-soft lg:data-[state=active]:text-accent"
              >
                <TabTitle tab={tab} />
              </Radix.Trigger>
            ))}
          </Fragment>
        ))}
      </Radix.List>
      <Panels tabs={tabs} />
    </Radix.Root>
  );
}

/** The page itself is not scrolled. */
function scrollToSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[data-state="active"]');
  if (list && tab) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
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
  const { root } = useTabs({ tabs, selected, onSelect });
  return (
    <Radix.Root {...root}>
      <Radix.List aria-label={label} className="mb-6 flex flex-wrap gap-1 border-line sm:border-b">
        {tabs.map((tab, index) => (
          <Radix.Trigger
            key={tab.name}
            value={String(index)}
            className="shrink-0 border-transparent px-3 py-2.5 text-sm max-sm:rounded-lg max-sm:py-2 max-sm:data-[state=active]:bg-accent-soft sm:-mb-px sm:border-b-2 font-medium text-quiet hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            <TabTitle tab={tab} />
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Panels tabs={tabs} />
    </Radix.Root>
  );
}

function useTabs<Name extends string>({ tabs, selected, onSelect }: Omit<TabPanelsProps<Name>, 'label'>) {
  // Radix makes ids of these, which names with spaces would break.
  const shown = Math.max(
    tabs.findIndex(({ name }) => name === selected),
    0,
  );
  const onValueChange = (index: string) => {
    const tab = tabs[Number(index)];
    if (tab) onSelect(tab.name);
  };
  // Opened by a click or Enter, not by focus: the page may ask something before it leaves a tab.
  return { shown, root: { value: String(shown), onValueChange, activationMode: 'manual' } as const };
}

function TabTitle({ tab: { title, mark } }: { tab: Tab<string> }) {
  return (
    <>
      {title} {mark && <Badge tone="bad">{mark}</Badge>}
    </>
  );
}

function Panels({ tabs }: { tabs: Tab<string>[] }) {
  return tabs.map(({ name, content }, index) => (
    <Radix.Content key={name} value={String(index)} className="min-w-0 space-y-6">
      {content}
    </Radix.Content>
  ));
}
