import { ATTRIBUTIONS } from '@svc/contract';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../../api/hooks.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { StartAgain } from '../../../ui/forms/fetched-form.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { CommissionSettingsLink, RuleList, type Version } from '../rule-list.tsx';
import { isScheduled, WithdrawButton } from '../withdraw-button.tsx';
import { RuleEditor } from './rule-editor.tsx';

/** That rules are edited, which may begin with a new one for a group. */
export type Editing = { groupId?: number };
type RulesTabProps = { programId: number; editing: Editing | null; onEdit: (editing: Editing | null) => void };

/** The rules in force, and the editor for new ones. */
export function RulesTab({ programId, editing, onEdit }: RulesTabProps) {
  const terms = useApiQuery('manageTerms', { params: { program_id: programId } });
  return (
    <QueryState query={terms} lines={6}>
      {({ data }) => {
        const scheduled = data.find(isScheduled);
        const current = data.find((version) => !isScheduled(version));
        if (!current) return null;
        const versions = { programId, current, scheduled };
        return editing ? (
          <EditedRules {...versions} editing={editing} onClose={() => onEdit(null)} />
        ) : (
          <RulesInForce {...versions} onEdit={() => onEdit({})} />
        );
      }}
    </QueryState>
  );
}

type Versions = { programId: number; current: Version; scheduled: Version | undefined };

function RulesInForce({ programId, current, scheduled, onEdit }: Versions & { onEdit: () => void }) {
  return (
    <>
      {scheduled && <ScheduledNotice programId={programId} version={scheduled} />}
      <CurrentRules version={current} onEdit={scheduled ? undefined : onEdit} />
    </>
  );
}

type EditedRulesProps = Versions & { editing: Editing; onClose: () => void };

/** The editor, which keeps what was entered when a colleague publishes a version meanwhile. While one is scheduled, none can be begun. */
function EditedRules({ programId, current, scheduled, editing, onClose }: EditedRulesProps) {
  const [edited, setEdited] = useState(scheduled ? null : current);
  if (!edited) return <RulesInForce {...{ programId, current, scheduled }} onEdit={() => setEdited(current)} />;
  const newest = scheduled ?? current;
  return (
    <>
      <div role="status" className="empty:hidden">
        {newest.version !== edited.version && (
          <StartAgain onStart={() => (scheduled ? onClose() : setEdited(current))}>
            Version {newest.version} was published meanwhile.
          </StartAgain>
        )}
      </div>
      <RuleEditor
        key={edited.version}
        programId={programId}
        current={edited}
        newRuleFor={editing.groupId}
        onClose={onClose}
      />
    </>
  );
}

function CurrentRules({ version, onEdit }: { version: Version; onEdit: (() => void) | undefined }) {
  return (
    <TitledCard
      title={`Version ${version.version}, in force`}
      description={
        <>
          Since <Time at={version.effective_from} />. The first rule that matches a sale or signup decides what it pays.
          The last one comes from the <CommissionSettingsLink />. Who is credited:{' '}
          {ATTRIBUTIONS[version.attribution].label.toLowerCase()}.
        </>
      }
      action={
        <Allowed route="manageAddTerms" to="change the commission rules">
          {onEdit && (
            <Button variant="primary" onClick={onEdit}>
              <Pencil size={16} aria-hidden /> Edit rules
            </Button>
          )}
        </Allowed>
      }
    >
      <RuleList version={version} />
    </TitledCard>
  );
}

function ScheduledNotice({ programId, version }: { programId: number; version: Version }) {
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          Version {version.version} comes into force on <Time at={version.effective_from} />. Withdraw it to change the
          rules before then.
        </p>
        <WithdrawButton programId={programId} version={version} />
      </div>
    </Notice>
  );
}
