import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signIn, signUp } from '../../api/session.ts';
import { settings } from '../../api/settings.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type SignInFormProps = {
  /** Whether it begins with making an account. */
  isNew?: boolean;
  email?: string;
  /** The token of an invitation: it opens the making of accounts where that is closed. */
  invitation?: string;
  /** What happens after the sign-in, as it stands on the button. */
  andThen?: string;
  onSignedIn: () => void | Promise<void>;
  onSwitch?: (isNew: boolean) => void;
};

/** Signs people in, or up where that is open. */
export function SignInForm(props: SignInFormProps) {
  const { isNew: startsNew = false, email, invitation, andThen = '', onSignedIn, onSwitch } = props;
  const canSignUp = settings.signup === 'open' || invitation !== undefined;
  const [isNew, setNew] = useState(startsNew && canSignUp);
  const entering = useMutation({
    mutationFn: async (values: Record<string, string>) => {
      const { name = '', email: address = '', password = '' } = values;
      if (isNew) await signUp({ name, email: address, password }, invitation);
      else await signIn({ email: address, password });
      await onSignedIn();
    },
  });
  const toggle = () => {
    entering.reset();
    setNew(!isNew);
    onSwitch?.(!isNew);
  };
  return (
    <Form
      onSubmit={(values) => entering.mutate(values)}
      error={entering.error}
      label={isNew ? 'Create an account' : 'Sign in'}
    >
      {isNew && <TextField label="Name" name="name" autoComplete="name" required maxLength={255} />}
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required defaultValue={email} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        minLength={8}
        maxLength={128}
        required
        hint={isNew ? 'At least 8 characters.' : undefined}
      />
      <Button type="submit" look="primary" className="w-full" isBusy={entering.isPending}>
        {isNew ? 'Create account' : 'Sign in'}
        {andThen}
      </Button>
      {canSignUp && (
        <Button look="quiet" className="w-full" onClick={toggle}>
          {isNew ? 'I have an account' : 'Create an account'}
        </Button>
      )}
    </Form>
  );
}
