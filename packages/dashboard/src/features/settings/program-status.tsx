import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import type { Program } from './settings-form.tsx';

type Status = Program['status'];

const LABELS: Record<Status, string> = { active: 'Active', paused: 'Paused', archived: 'Archived' };

const KEPT =
  'Customers from before still count: what they buy is recorded and earns commissions, and you can pay your partners. You can resume the program at any time.';

const CHANGES = {
  active: {
    label: 'Resume',
    title: 'Resume this program?',
    description: 'Links count clicks again, and the join link works as it did before.',
    variant: 'primary',
  },
  paused: {
    label: 'Pause',
    title: 'Pause this program?',
    description: `Links stop counting clicks and nobody can join. ${KEPT}`,
    variant: 'danger',
  },
  archived: {
    label: 'Archive',
    title: 'Archive this program?',
    description: `The program is over: links stop counting clicks, nobody can join, and it moves to the end of the program menu. ${KEPT}`,
    variant: 'danger',
  },
} as const;

/** Pauses, archives, resumes or deletes the program. Only owners can. */
export function ProgramStatusSettings({ program, isOwner }: { program: Program; isOwner: boolean }) {
  const [confirming, setConfirming] = useState<Status | 'deleted' | null>(null);
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const params = { program_id: program.id };
  const close = () => setConfirming(null);
  const update = useApiMutation('manageSetProgramStatus', ({ status }) => {
    close();
    toast(status === 'active' ? 'The program is active again' : `The program is ${status}`);
  });
  const deletion = useApiMutation('manageDeleteProgram', () => {
    queryClient.clear();
    toast(`${program.name} was deleted`);
    void navigate({ to: '/app' });
  });
  const choices = (Object.keys(CHANGES) as Status[]).filter((status) => status !== program.status);
  const change = confirming && confirming !== 'deleted' ? CHANGES[confirming] : null;
  return (
    <TitledCard
      title="Program status"
      description="Pause the program for a while, or archive it when it is over. Only a program that nobody has joined can be deleted."
    >
      <p className="mb-4 text-sm">
        This program is{' '}
        <Badge tone={program.status === 'active' ? 'good' : 'warn'}>{LABELS[program.status].toLowerCase()}</Badge>
      </p>
      {isOwner ? (
        <div className="flex flex-wrap gap-2">
          {choices.map((status) => (
            <Button key={status} onClick={() => setConfirming(status)}>
              {CHANGES[status].label} program
            </Button>
          ))}
          <Button variant="danger" onClick={() => setConfirming('deleted')}>
            Delete program
          </Button>
        </div>
      ) : (
        <p className="text-sm text-quiet">Only owners of the workspace can change it.</p>
      )}
      {confirming && confirming !== 'deleted' && change && (
        <ConfirmDialog
          {...{ title: change.title, description: change.description, variant: change.variant }}
          confirmLabel={change.label}
          isOpen
          onClose={close}
          onConfirm={() => update.mutate({ params, body: { status: confirming } })}
          isBusy={update.isPending}
          error={update.error}
        />
      )}
      {confirming === 'deleted' && (
        <ConfirmDialog
          title={`Delete ${program.name}?`}
          description="This cannot be undone. The API key stops working immediately. A program with partners, customers, sales or a connected payment processor can only be archived."
          confirmLabel="Delete program"
          isOpen
          onClose={close}
          onConfirm={() => deletion.mutate({ params })}
          isBusy={deletion.isPending}
          error={deletion.error}
        />
      )}
    </TitledCard>
  );
}
