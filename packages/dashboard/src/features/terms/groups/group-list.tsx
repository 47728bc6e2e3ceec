import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Row } from '../../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { formatCount } from '../../../rules/money.ts';
import { tierInWords } from '../../../rules/terms/tier.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../../ui/forms/menu.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { GroupDialog } from './group-dialog.tsx';

type Group = Row<'manageGroups'>;
type Open = { action: 'edit' | 'delete'; group: Group };

type GroupListProps = { programId: number; onAddRule: (groupId: number) => void };

/** The groups of partners, from when on partners move into them, and the way to what a group earns. */
export function GroupList({ programId, onAddRule }: GroupListProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const params = { program_id: programId };
  const groups = useApiQuery('manageGroups', { params });
  const currency = useApiQuery('manageProgram', { params }).data?.data.currency ?? 'USD';
  const close = () => setOpen(null);
  return (
    <TitledCard
      title="Groups"
      description="Every partner is in one group, and rules can apply to a single group. You move partners on their pages, or tiers move them once a day."
      action={<Allowed route="manageAddGroup" to="change groups" />}
    >
      <QueryState query={groups} lines={3}>
        {({ data }) => (
          <div className="-mx-5 -mb-3">
            <DataTable
              label="Groups of partners"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { title: 'Group', cell: ({ name }) => <span className="font-medium">{name}</span> },
                {
                  title: 'Partners move in',
                  showFrom: 'medium',
                  isStacked: true,
                  cell: ({ is_default: isDefault, tier }) => (
                    <span className="text-quiet">{howToEnter(isDefault, tier, currency)}</span>
                  ),
                },
                {
                  title: 'Partners',
                  isRightAligned: true,
                  cell: ({ id, partners }) => (
                    <Link
                      to="/app/programs/$programId/partners"
                      params={{ programId }}
                      search={{ group_id: String(id) }}
                      className="tabular-nums hover:underline"
                    >
                      {formatCount(partners)}
                    </Link>
                  ),
                },
                {
                  title: 'Actions',
                  isTitleHidden: true,
                  isRightAligned: true,
                  cell: (group) => (
                    <div className="inline-flex items-center gap-1">
                      {!group.is_default && (
                        <Allowed route="manageAddTerms">
                          <Button
                            size="small"
                            aria-label={`Add a rule for ${group.name}`}
                            onClick={() => onAddRule(group.id)}
                          >
                            Add a rule
                          </Button>
                        </Allowed>
                      )}
                      <Allowed route="manageUpdateGroup">
                        <ActionsMenu name={group.name}>
                          <MenuItem onSelect={() => setOpen({ action: 'edit', group })}>Edit</MenuItem>
                          {!group.is_default && (
                            <MenuItem isDanger onSelect={() => setOpen({ action: 'delete', group })}>
                              Delete
                            </MenuItem>
                          )}
                        </ActionsMenu>
                      </Allowed>
                    </div>
                  ),
                },
              ]}
            />
          </div>
        )}
      </QueryState>
      {open?.action === 'edit' && <GroupDialog {...{ programId, currency }} group={open.group} onClose={close} />}
      {open?.action === 'delete' && <DeleteDialog programId={programId} group={open.group} onClose={close} />}
    </TitledCard>
  );
}

function howToEnter(isDefault: boolean, tier: Group['tier'], currency: string): string {
  if (isDefault) return 'Everyone who is in no other group';
  return tier ? tierInWords(tier, currency) : 'By hand';
}

function DeleteDialog({ programId, group, onClose }: { programId: number; group: Group; onClose: () => void }) {
  const toast = useToast();
  const deletion = useApiMutation('manageDeleteGroup', () => {
    onClose();
    toast(`Group ${group.name} deleted`);
  });
  return (
    <ConfirmDialog
      title={`Delete ${group.name}?`}
      description="A group can be deleted only if it has no partners and no rule uses it."
      confirmLabel="Delete group"
      isOpen
      onClose={onClose}
      onConfirm={() => deletion.mutate({ params: { program_id: programId, group_id: group.id } })}
      isBusy={deletion.isPending}
      error={deletion.error}
    />
  );
}
