import { useState } from 'react';
import type { Row } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';

type UndoImportProps = { programId: number; imported: Row<'manageImports'> };

/** Takes an import back. A large one takes several requests, which follow each other. */
export function UndoImport({ programId, imported }: UndoImportProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const request = { params: { program_id: programId, import_id: imported.id } };
  const undoing = useApiMutation('manageUndoImport', ({ status, kept }) => {
    if (status === 'undoing') {
      undoing.mutate(request);
      return;
    }
    const count = kept.reduce((sum, each) => sum + each.count, 0);
    toast(
      count === 0 ? 'Import undone' : `Import undone. ${count.toLocaleString('en')} used or changed since were kept.`,
    );
    setOpen(false);
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {imported.status === 'undoing' ? 'Continue undoing' : 'Undo'}
      </Button>
      <ConfirmDialog
        title={`Undo the import from ${imported.source}?`}
        description="Partners, links, coupons, customers and opening balances that it created are removed, if nothing has happened to them since. What has had clicks, sales or changes, was paid, or was there before, stays. Links that are removed stop working."
        confirmLabel="Undo import"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => undoing.mutate(request)}
        isBusy={undoing.isPending}
        error={undoing.error}
      />
    </>
  );
}
