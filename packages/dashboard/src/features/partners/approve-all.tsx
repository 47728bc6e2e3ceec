import { Check } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { formatCount } from '../../rules/money.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';

type ApproveAllProps = {
  programId: number;
  /** The filter of the list of applicants, and how many it matches. */
  filter: NonNullable<NonNullable<Call<'manageStartPartnerChange'>['body']>['filter']>;
  count: number;
};

/** Approves every application that the list shows, on all of its pages. */
export function ApproveAll({ programId, filter, count }: ApproveAllProps) {
  const [isOpen, setOpen] = useState(false);
  const start = useApiMutation('manageStartPartnerChange', () => setOpen(false));
  const close = () => {
    start.reset();
    setOpen(false);
  };
  const body = { status: 'active', from_status: 'applied', filter, count } as const;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Check size={16} aria-hidden /> Approve all {formatCount(count)}
      </Button>
      <ConfirmDialog
        title={`Approve ${countOf(count, 'applications')}?`}
        description="Each of them gets a first link and an email."
        confirmLabel="Approve"
        variant="primary"
        isOpen={isOpen}
        onClose={close}
        onConfirm={() => start.mutate({ params: { program_id: programId }, body })}
        isBusy={start.isPending}
        error={start.error}
      />
    </>
  );
}
