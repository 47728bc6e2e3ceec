import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type NextStep, signIn, signUp } from '../../api/session.ts';
import { settings } from '../../api/settings.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { PasskeyButton, SecondStep } from './second-step.tsx';

type SignInFormProps = {
  /** Whether it starts with creating an account. */
  isNew?: boolean;
  name?: string;
  email?: string;
  /** Whether the given address cannot be changed. */
  isEmailFixed?: boolean;
  /** An invitation token, which allows creating an account where sign-up is closed. */
  invitation?: string;
  /** What happens after signing in or creating an account, as a verb for the button: “Sign in and continue”. */
  nextStep?: (isNew: boolean) => string;
  onSignedIn: (isNew: boolean) => void | Promise<void>;
  onModeChange?: (isNew: boolean) => void;
  /** More fields for new accounts. */
  newFields?: ReactNode;
};

/** Signs in, or creates an account where that is allowed. */
export function SignInForm(props: SignInFormProps) {
  const {
    isNew: startsNew = false,
    name,
    email,
    isEmailFixed = false,
    invitation,
    nextStep,
    onSignedIn,
    onModeChange,
    newFields,
  } = props;
  const canSignUp = settings.signup === 'open' || invitation !== undefined;
  const [isNew, setNew] = useState(startsNew && canSignUp);
  const [nextNeeded, setNextNeeded] = useState<NextStep>('none');
  const queryClient = useQueryClient();
  const goOn = (isNewAccount: boolean) => {
    // What pages have shown before may be about another account.
    queryClient.removeQueries({ type: 'inactive' });
    return onSignedIn(isNewAccount);
  };
  const submission = useMutation({
    mutationFn: async (values: Record<string, string>) => {
      const { name: ownName = '', email: address = '', password = '' } = values;
      if (isNew) await signUp({ name: ownName, email: address, password }, invitation);
      const needed = isNew ? 'none' : await signIn({ email: address, password });
      if (needed === 'none') await goOn(isNew);
      else setNextNeeded(needed);
    },
  });
  const toggle = () => {
    submission.reset();
    setNew(!isNew);
    onModeChange?.(!isNew);
  };
  const signedIn = () => goOn(false);
  if (nextNeeded !== 'none') {
    const startOver = () => setNextNeeded('none');
    return <SecondStep hasApp={nextNeeded === 'code'} onSignedIn={signedIn} onStartOver={startOver} />;
  }
  const submitLabel = isNew ? 'Create account' : 'Sign in';
  return (
    <Form
      onSubmit={(values) => submission.mutate(values)}
      error={submission.error}
      // Answers for the brand are worth asking about; an address and a password are not.
      guardsChanges={isNew && newFields !== undefined}
      label={isNew ? 'Create an account' : 'Sign in'}
    >
      {isNew && <TextField label="Name" name="name" autoComplete="name" required maxLength={255} defaultValue={name} />}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        readOnly={isEmailFixed}
        hint={isEmailFixed ? 'The invitation is for this address.' : undefined}
      />
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
      {!isNew && (
        <p className="-mt-2 text-sm">
          <Link to="/app/forgot-password" className="text-accent underline">
            Forgot password?
          </Link>
        </p>
      )}
      {isNew && newFields}
      <Button type="submit" variant="primary" className="w-full" isBusy={submission.isPending}>
        {nextStep ? `${submitLabel} and ${nextStep(isNew)}` : submitLabel}
      </Button>
      {!isNew && <PasskeyButton onSignedIn={signedIn} />}
      {canSignUp && (
        <Button variant="ghost" className="w-full" onClick={toggle}>
          {isNew ? 'I already have an account' : 'Create an account'}
        </Button>
      )}
    </Form>
  );
}
