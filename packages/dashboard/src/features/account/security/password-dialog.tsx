import type { ReactNode } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { CurrentPassword } from '../../../ui/forms/current-password.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';

type PasswordDialogProps = {
  title: string;
  description: ReactNode;
  submitLabel: string;
  isDanger?: boolean;
  error: Error | null;
  isBusy: boolean;
  onSubmit: (password: string) => void;
  onClose: () => void;
};

/** Asks for the password before something changes. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, description, submitLabel, isDanger = false, error, isBusy, onSubmit, onClose } = props;
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <Form guardsChanges={false} error={error} onSubmit={({ password = '' }) => onSubmit(password)}>
        <CurrentPassword />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isBusy={isBusy}>
            {submitLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
