import { QrCode } from 'lucide-react';
import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy.tsx';

export type ListedLink = Row<'manageLinks'>;

type LinkActionsProps = { programId: number; link: ListedLink; onShowQrCode: () => void };

export function LinkActions({ programId, link, onShowQrCode }: LinkActionsProps) {
  const toast = useToast();
  const { short_link: name, active, url } = link;
  const update = useApiMutation('manageUpdateLink', (updated) =>
    toast(`Link ${updated.short_link} ${updated.active ? 'enabled' : 'disabled'}`),
  );
  const toggle = () =>
    update.mutate({ params: { program_id: programId, link_id: link.id }, body: { active: !active } });
  return (
    <div className="flex justify-end gap-1">
      <CopyButton text={url} label={`Copy ${name}`} isIconOnly />
      <Button size="small" variant="ghost" aria-label={`QR code for ${name}`} title="QR code" onClick={onShowQrCode}>
        <QrCode size={15} aria-hidden />
      </Button>
      <Button size="small" aria-label={`${active ? 'Disable' : 'Enable'} ${name}`} onClick={toggle}>
        {active ? 'Disable' : 'Enable'}
      </Button>
    </div>
  );
}
