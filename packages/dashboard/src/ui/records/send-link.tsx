import { useAction } from '../feedback/action.ts';
import { useToast } from '../feedback/toast.tsx';
import { Button } from '../forms/button.tsx';

/** Mails the signed-in user a link that confirms their address. */
export function SendLink() {
  const toast = useToast();
  const sending = useAction('manageSendVerification', () => toast('We’ve sent you a link'));
  return (
    <Button size="small" isBusy={sending.isPending} onClick={() => sending.mutate({})}>
      Send me a link
    </Button>
  );
}
