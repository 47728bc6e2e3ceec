import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';

type EditDialogProps = Pick<FormProps, 'onSubmit' | 'children'> & {
  title: string;
  description?: ReactNode;
  /** The request that saves what was entered. */
  saving: { error: Error | null; isPending: boolean };
  onClose: () => void;
};

/** Changes something that exists: its fields, and buttons that save or leave everything as it was. */
export function EditDialog({ title, description, saving, onSubmit, onClose, children }: EditDialogProps) {
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <Form error={saving.error} onSubmit={onSubmit}>
        {children}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={saving.isPending}>
            Save changes
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
