import { z } from 'zod';
import { boundedText, identifier, personName } from '../../values/fields.ts';
import { email } from '../team/invitations.ts';

// The fields of the sign-in routes under `/api/auth`. Nothing else reaches the sign-in library.

export const MIN_PASSWORD_CHARS = 8;
export const MAX_PASSWORD_CHARS = 128;

/** Long enough to hold any password that can be set; whether it is the right one is judged later. */
const typedPassword = (field: string) => boundedText(field, MAX_PASSWORD_CHARS);
const newPassword = (field: string) =>
  typedPassword(field).min(MIN_PASSWORD_CHARS, { error: `${field} must be at least ${MIN_PASSWORD_CHARS} characters` });

export const signUpFields = z.object({ name: personName, email, password: newPassword('password') });

export const signInFields = z.object({ email, password: typedPassword('password') });

export const changePasswordFields = z.object({
  currentPassword: typedPassword('currentPassword'),
  newPassword: newPassword('newPassword'),
  revokeOtherSessions: z.boolean({ error: 'revokeOtherSessions must be true or false' }).optional(),
});

/** A password that is given again, before something that needs it. */
export const passwordFields = z.object({ password: typedPassword('password') });

export const requestResetFields = z.object({ email });

export const resetPasswordFields = z.object({
  token: identifier('token').min(1, { error: 'token is required' }),
  newPassword: newPassword('newPassword'),
});

export const deleteAccountFields = z.object({
  password: typedPassword('password').min(1, { error: 'password is required' }),
});
