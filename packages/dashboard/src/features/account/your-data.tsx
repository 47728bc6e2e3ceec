import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { deleteAccount } from '../../api/session.ts';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';

/** A copy of what is stored about the user, and the end of it. */
export function YourData() {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <TitledCard title="Your data" description="A copy of everything stored about your account, without passwords.">
      <div className="flex flex-wrap gap-2">
        <a href={urlOf('manageExportMe', {})} download="account.json" className={buttonClass()}>
          <Download size={16} aria-hidden /> Export data
        </a>
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
      queryClient.clear();
      await navigate({ to: '/app/sign-in' });
    },
  });
  return (
    <Dialog
      title="Delete your account?"
      description="You are signed out everywhere, and your name and email are removed for good. If you are a partner, you leave every program: your links stop earning, and brands can no longer reach you about unpaid commissions."
      isOpen
      onClose={onClose}
    >
      <Form error={deletion.error} onSubmit={({ password = '' }) => deletion.mutate(password)}>
        <TextField label="Password" name="password" type="password" required autoComplete="current-password" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" isBusy={deletion.isPending}>
            Delete account
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
