import { QrCode } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { useAction } from '../../ui/feedback/action.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton, useCopy } from '../../ui/forms/copy.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../ui/forms/menu.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { EditLinkDialog } from './edit-link-dialog.tsx';
import type { ListedLink } from './listed-link.ts';

type LinkActionsProps = { programId: number; link: ListedLink; onShowQrCode: () => void };

export function LinkActions({ programId, link, onShowQrCode }: LinkActionsProps) {
  const toast = useToast();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const copy = useCopy();
  const { short_link: name, active, url } = link;
  const params = { program_id: programId, link_id: link.id };
  const close = () => setDialog(null);
  const update = useAction('manageUpdateLink', (updated) =>
    toast(`Link ${updated.short_link} ${updated.active ? 'enabled' : 'disabled'}`),
  );
  const deletion = useApiMutation('manageDeleteLink', () => {
    close();
    toast(`Link ${name} deleted`);
  });
  if (link.deleted_at !== null) return null;
  return (
    <div className="flex justify-end gap-1">
      <CopyButton text={url} label={`Copy ${name}`} isIconOnly />
      <Button
        size="small"
        variant="ghost"
        aria-label={`QR code for ${name}`}
        title="QR code"
        className="px-2!"
        onClick={onShowQrCode}
      >
        <QrCode size={15} aria-hidden />
      </Button>
      <Allowed route="manageUpdateLink">
        <ActionsMenu name={name}>
          <MenuItem onSelect={() => void copy(link.short_url)}>Copy short address</MenuItem>
          <MenuItem onSelect={() => setDialog('edit')}>Edit</MenuItem>
          <MenuItem onSelect={() => update.mutate({ params, body: { active: !active } })}>
            {active ? 'Disable' : 'Enable'}
          </MenuItem>
          <MenuItem isDanger onSelect={() => setDialog('delete')}>
            Delete
          </MenuItem>
        </ActionsMenu>
      </Allowed>
      {dialog === 'edit' && <EditLinkDialog programId={programId} link={link} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          description="Visitors still reach the page, but their clicks no longer count. Customers, sales and commissions so far stay. The link name can never be used again."
          confirmLabel="Delete link"
          isOpen
          onClose={close}
          onConfirm={() => deletion.mutate({ params })}
          isBusy={deletion.isPending}
          error={deletion.error}
        />
      )}
    </div>
  );
}
