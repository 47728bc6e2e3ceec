import { PAYOUT_KIND_NAMES } from '@svc/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { Data } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { changePassword } from '../../api/session.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { HandedOver } from '../../ui/records/handed-over.tsx';
import { EmailAddress } from './email-address.tsx';
import { MailSettings } from './mail-settings.tsx';
import { SecondFactors } from './security/second-factors.tsx';
import { SessionList } from './security/session-list.tsx';
import { TokenList } from './token-list.tsx';
import { YourData } from './your-data.tsx';

/** The user’s own account, the same for brands and partners. */
export function Page() {
  const me = useApiQuery('manageMe');
  return (
    <div className="max-w-2xl">
      <Link to="/app" className="mb-6 inline-flex items-center gap-1.5 text-sm text-quiet hover:text-ink">
        <ArrowLeft size={15} aria-hidden /> Back to dashboard
      </Link>
      <PageHeader title="Account settings" />
      <QueryState query={me}>
        {({ data }) => (
          <div className="space-y-6">
            {data.needs_second_factor && (
              <Notice tone="warn">
                {data.workspace} requires a second factor. Set up an authenticator app or add a passkey below to
                continue.
              </Notice>
            )}
            <HandedOver rows={data.handed_over} />
            <ProfileForm name={data.user.name} />
            <PayoutMethod method={data.payout_method} />
            <EmailAddress user={data.user} />
            <PasswordForm />
            <SecondFactors />
            <MailSettings />
            <SessionList />
            <TokenList />
            <YourData />
          </div>
        )}
      </QueryState>
    </div>
  );
}

function ProfileForm({ name }: { name: string }) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateMe', () => toast('Changes saved'));
  return (
    <TitledCard title="Profile">
      <Form error={update.error} onSubmit={({ name: newName }) => update.mutate({ body: { name: newName } })}>
        <TextField label="Name" name="name" defaultValue={name} required maxLength={255} autoComplete="name" />
        <Button type="submit" variant="primary" isBusy={update.isPending}>
          Save changes
        </Button>
      </Form>
    </TitledCard>
  );
}

function PayoutMethod({ method }: { method: Data<'manageMe'>['payout_method'] }) {
  return (
    <TitledCard title="How you get paid" description="For all programs that you are a partner of.">
      <p className="text-sm">
        {method ? `${PAYOUT_KIND_NAMES[method.kind]} ${method.masked}` : 'You haven’t added a payout method yet.'}{' '}
        <Link to="/app/account/payout-method" className="font-medium text-accent underline">
          {method ? 'Change' : 'Add a payout method'}
        </Link>
      </p>
    </TitledCard>
  );
}

function PasswordForm() {
  const toast = useToast();
  const change = useMutation({ mutationFn: changePassword, onSuccess: () => toast('Password changed') });
  return (
    <TitledCard
      title="Password"
      description="Changing your password signs you out of all other browsers and terminals."
    >
      <Form
        error={change.error}
        onSubmit={({ currentPassword = '', newPassword = '' }, form) =>
          change.mutate({ currentPassword, newPassword }, { onSuccess: () => form.reset() })
        }
      >
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          required
          autoComplete="current-password"
        />
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          required
          minLength={8}
          maxLength={128}
          autoComplete="new-password"
          hint="At least 8 characters."
        />
        <Button type="submit" isBusy={change.isPending}>
          Change password
        </Button>
      </Form>
    </TitledCard>
  );
}
