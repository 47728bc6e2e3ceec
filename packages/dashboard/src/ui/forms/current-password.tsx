import { TextField } from './field.tsx';

/** The password that the user has now, as `password`, to prove who they are. */
export function CurrentPassword() {
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      required
      autoFocus
      maxLength={128}
      autoComplete="current-password"
    />
  );
}
