import { Tabs } from '../../ui/forms/tabs.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { GroupList } from './groups/group-list.tsx';
import { RulesTab } from './rules/rules-tab.tsx';
import { VersionList } from './version-list.tsx';

/** What the program pays: the rules in force and new ones, the groups they are for, and all versions so far. */
export function Page() {
  const programId = useProgramId();
  return (
    <>
      <PageHeader
        title="Commission rules"
        description="What each partner earns. See what a change would have cost before you publish it."
      />
      <div className="max-w-4xl">
        <Tabs
          label="Commission rules"
          tabs={[
            { name: 'rules', title: 'Rules', content: <RulesTab programId={programId} /> },
            { name: 'groups', title: 'Groups', content: <GroupList programId={programId} /> },
            { name: 'versions', title: 'Versions', content: <VersionList programId={programId} /> },
          ]}
        />
      </div>
    </>
  );
}
