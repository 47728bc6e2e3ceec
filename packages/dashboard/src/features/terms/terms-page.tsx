import { useState } from 'react';
import { Tabs } from '../../ui/forms/tabs.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { GroupList } from './groups/group-list.tsx';
import { NewGroupButton } from './groups/new-group-button.tsx';
import { type Editing, RulesTab } from './rules/rules-tab.tsx';
import { VersionList } from './version-list.tsx';

/** What the program pays: the rules in force and new ones, the groups they are for, and all versions so far. */
export function Page() {
  const programId = useProgramId();
  const [{ tab = 'rules' }, setSearch] = useSearchParams();
  const [editing, setEditing] = useState<Editing | null>(null);
  const [shownTab, setShownTab] = useState(tab);
  if (tab !== shownTab) {
    setShownTab(tab);
    // The editor ends with its tab, which asks before changes are lost.
    if (shownTab === 'rules') setEditing(null);
  }
  const addRuleFor = (groupId: number) => {
    setEditing({ groupId });
    setSearch({ tab: 'rules' });
  };
  const tabs = [
    { name: 'rules', title: 'Rules', content: <RulesTab {...{ programId, editing }} onEdit={setEditing} /> },
    { name: 'groups', title: 'Groups', content: <GroupList programId={programId} onAddRule={addRuleFor} /> },
    { name: 'versions', title: 'Versions', content: <VersionList programId={programId} /> },
  ] as const;
  return (
    <div className="max-w-4xl">
      <PageHeader
        title="Commission rules"
        description="What each partner earns. See what a change would have cost before you publish it."
      >
        {!editing && <NewGroupButton programId={programId} onCreated={() => setSearch({ tab: 'groups' })} />}
      </PageHeader>
      <Tabs label="Commission rules" tabs={[...tabs]} />
    </div>
  );
}
