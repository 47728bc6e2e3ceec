import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextArea } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type RejectDialogProps = {
  title: string;
  description: string;
  isBusy: boolean;
  error: Error | null;
  onReject: (reason: string) => void;
  onClose: () => void;
};

/** Asks why commissions are rejected. */
export function RejectDialog({ title, description, isBusy, error, onReject, onClose }: RejectDialogProps) {
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <Form error={error} onSubmit={({ reason = '' }) => onReject(reason)}>
        <TextArea
          label="Reason"
          name="reason"
          rows={2}
          maxLength={500}
          hint="Optional, but the partner sees it. You can undo the rejection later."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" isBusy={isBusy}>
            Reject
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
