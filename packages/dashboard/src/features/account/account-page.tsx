import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useAction, useRead } from '../../api/hooks.ts';
import { changePassword } from '../../api/session.ts';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextArea, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { PageHead, TitledCard } from '../../ui/layout/card.tsx';

/** One's own profile, for brands and partners alike. */
export function Page() {
  const me = useRead('manageMe');
  return (
    <main className="mx-auto w-full max-w-2xl px-4 py-8">
      <Link to="/app" className="mb-6 inline-flex items-center gap-1.5 text-sm text-quiet hover:text-ink">
        <ArrowLeft size={15} aria-hidden /> Back
      </Link>
      <PageHead title="Your profile" />
      <Loaded read={me}>
        {({ data }) => (
          <div className="space-y-6">
            <ProfileForm name={data.user.name} email={data.user.email} payoutDetails={data.payout_details} />
            <PasswordForm />
          </div>
        )}
      </Loaded>
    </main>
  );
}

type ProfileProps = { name: string; email: string; payoutDetails: string | null };

function ProfileForm({ name, email, payoutDetails }: ProfileProps) {
  const say = useToast();
  const saving = useAction('manageUpdateMe', () => say('Saved'));
  return (
    <TitledCard title="Profile">
      <Form
        error={saving.error}
        onSubmit={(values) =>
          saving.mutate({ body: { name: values.name, payout_details: values.payout_details || null } })
        }
      >
        <TextField label="Name" name="name" defaultValue={name} required maxLength={255} autoComplete="name" />
        <TextField label="E-mail" value={email} disabled hint="You sign in with it." />
        <TextArea
          label="Where you want to be paid"
          name="payout_details"
          defaultValue={payoutDetails ?? ''}
          rows={3}
          maxLength={500}
          hint="A PayPal address or an account number. Brands whose partner you are see it when they pay you."
        />
        <Button type="submit" look="primary" isBusy={saving.isPending}>
          Save
        </Button>
      </Form>
    </TitledCard>
  );
}

function PasswordForm() {
  const say = useToast();
  const changing = useMutation({ mutationFn: changePassword, onSuccess: () => say('The password is changed') });
  return (
    <TitledCard title="Password" words="Other browsers that are signed in have to sign in again.">
      <Form
        error={changing.error}
        onSubmit={({ current = '', next = '' }, form) =>
          changing.mutate({ currentPassword: current, newPassword: next }, { onSuccess: () => form.reset() })
        }
      >
        <TextField label="Password now" name="current" type="password" required autoComplete="current-password" />
        <TextField
          label="New password"
          name="next"
          type="password"
          required
          minLength={8}
          maxLength={128}
          autoComplete="new-password"
          hint="At least 8 characters."
        />
        <Button type="submit" isBusy={changing.isPending}>
          Change the password
        </Button>
      </Form>
    </TitledCard>
  );
}
