import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { deleteAccount } from '../../api/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { FileLink } from '../../ui/lists/file-link.tsx';
import { PasswordDialog } from './security/password-dialog.tsx';

/** A copy of what is stored about the user, and the end of it. */
export function YourData() {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <TitledCard title="Your data" description="A copy of everything stored about your account, without passwords.">
      <div className="flex flex-wrap gap-2">
        <FileLink href={urlOf('manageExportMe', {})} label="Export data" fileName="account.json" />
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete account…
        </Button>
      </div>
      {isDeleting && <DeleteDialog onClose={() => setDeleting(false)} />}
    </TitledCard>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: deleteAccount,
    onSuccess: async () => {
      // The frame of the page would ask again for what is forgotten before it is left.
      await navigate({ to: '/app/sign-in' });
      queryClient.clear();
    },
  });
  return (
    <PasswordDialog
      title="Delete your account?"
      description="You are signed out everywhere, and your name and email are removed for good. If you are a partner, you leave every program: your links stop earning, and brands can no longer reach you about unpaid commissions."
      submitLabel="Delete account"
      isDanger
      error={deletion.error}
      isBusy={deletion.isPending}
      onSubmit={(password) => deletion.mutate(password)}
      onClose={onClose}
    />
  );
}
