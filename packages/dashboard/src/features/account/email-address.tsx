import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { SendLink } from '../../ui/records/send-link.tsx';

type User = Data<'manageMe'>['user'];

/** The address that the person signs in with: whether it is confirmed, and how to change it. */
export function EmailAddress({ user }: { user: User }) {
  const [isChanging, setChanging] = useState(false);
  const isUnconfirmed = settings.mail && !user.email_verified;
  return (
    <TitledCard title="Email address" description="You use it to sign in.">
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="min-w-0 truncate font-medium">{user.email}</span>
        {settings.mail && user.email_verified && <Badge tone="good">Confirmed</Badge>}
        {isUnconfirmed && <Badge tone="warn">Not confirmed</Badge>}
        {settings.mail && (
          <Button size="small" className="ml-auto" onClick={() => setChanging(true)}>
            Change email address
          </Button>
        )}
      </div>
      <div className="mt-3 space-y-3 empty:hidden">
        {user.email_undeliverable && (
          <Notice tone="bad">
            A mail server has refused this address. Change it, or check that it can receive mail.
          </Notice>
        )}
        {isUnconfirmed && (
          <Notice tone="warn">
            <p>
              Confirm your address with the link that we’ve sent you. Until then you only get mail about your account.
            </p>
            <div className="mt-2">
              <SendLink />
            </div>
          </Notice>
        )}
        {!settings.mail && (
          <p className="text-sm text-quiet">
            This installation doesn’t send email, so the address can’t be changed here.
          </p>
        )}
      </div>
      <ChangeAddress user={user} isOpen={isChanging} onClose={() => setChanging(false)} />
    </TitledCard>
  );
}

function ChangeAddress({ user, isOpen, onClose }: { user: User; isOpen: boolean; onClose: () => void }) {
  const change = useApiMutation('manageChangeEmail');
  const close = () => {
    change.reset();
    onClose();
  };
  if (change.isSuccess) {
    return (
      <Dialog
        title="Check your email"
        description={
          user.email_verified
            ? 'We’ve sent a link to your current address and one to the new address. The address changes when you’ve opened both.'
            : 'We’ve sent a link to the new address. The address changes when you’ve opened it.'
        }
        isOpen={isOpen}
        onClose={close}
      >
        <DialogActions>
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Change email address"
      description="We’ll email you links to confirm the change."
      isOpen={isOpen}
      onClose={close}
    >
      <Form error={change.error} onSubmit={({ email = '' }) => change.mutate({ body: { email } })}>
        <TextField label="New email" name="email" type="email" required maxLength={255} autoComplete="email" />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={change.isPending}>
            Send links
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
