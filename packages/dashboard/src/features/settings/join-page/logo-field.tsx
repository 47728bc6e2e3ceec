import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { BrandLogo } from '../../../ui/layout/brand-logo.tsx';
import type { Program } from '../settings-form.tsx';
import { readLogo } from './read-logo.ts';
import type { JoinPage } from './use-join-page.ts';

/** Uploads and removes the logo. Large images are scaled down first. */
export function LogoField({ program, page }: { program: Program; page: JoinPage }) {
  const toast = useToast();
  const file = useRef<HTMLInputElement>(null);
  const params = { program_id: program.id };
  const upload = useApiMutation('manageSetLogo', () => toast('Logo saved'));
  const [isRemoving, setRemoving] = useState(false);
  const reading = useMutation({
    mutationFn: async (chosen: File) => upload.mutateAsync({ params, body: { image: await readLogo(chosen) } }),
  });
  const read = (chosen: File | undefined) => {
    if (chosen) reading.mutate(chosen);
    // Choosing the same file again should try again.
    if (file.current) file.current.value = '';
  };
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">Logo</p>
      <div className="flex flex-wrap items-center gap-3">
        <BrandLogo brand={{ name: program.name, logo_url: page.logo_url }} className="size-14 border border-line p-1" />
        <input
          ref={file}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label="Logo file"
          onChange={(event) => read(event.target.files?.[0])}
          className="sr-only"
          tabIndex={-1}
        />
        <Button size="small" onClick={() => file.current?.click()} isBusy={reading.isPending}>
          {page.logo_url ? 'Replace logo' : 'Upload logo'}
        </Button>
        {page.logo_url && (
          <Button size="small" variant="ghost" onClick={() => setRemoving(true)}>
            Remove<span className="sr-only"> logo</span>
          </Button>
        )}
      </div>
      <p className="mt-1.5 text-caption text-quiet">PNG, JPEG or WebP. Best as a square.</p>
      <ErrorNotice error={reading.error} />
      {isRemoving && <RemoveDialog programId={program.id} onClose={() => setRemoving(false)} />}
    </div>
  );
}

function RemoveDialog({ programId, onClose }: { programId: number; onClose: () => void }) {
  const toast = useToast();
  const removal = useApiMutation('manageRemoveLogo', () => {
    onClose();
    toast('Logo removed');
  });
  return (
    <ConfirmDialog
      title="Remove the logo?"
      description="The image is deleted. The join page and the portal show the initials of your program’s name instead."
      confirmLabel="Remove logo"
      isOpen
      onClose={onClose}
      onConfirm={() => removal.mutate({ params: { program_id: programId } })}
      isBusy={removal.isPending}
      error={removal.error}
    />
  );
}
