import { z } from 'zod';
import { boundedText, identifier, readByOthers } from '../../values/fields.ts';

// The fields of the sign-in routes for second factors, under `/api/auth`.

const CODE = 'code must be the six digits that your authenticator app shows';

/** People may type the code in groups. */
export const codeFields = z.object({
  code: boundedText('code', 20)
    .transform((typed) => typed.replace(/[\s-]/g, ''))
    .refine((digits) => /^\d{6}$/.test(digits), { error: CODE }),
});

export const recoveryCodeFields = z.object({
  code: boundedText('code', 40).trim().min(1, { error: 'code must not be empty' }),
});

const MAX_CREDENTIAL_CHARS = 30_000;
const MAX_CREDENTIAL_ID_CHARS = 1_400;
const credentialText = (field: string) => boundedText(field, MAX_CREDENTIAL_CHARS);

/** What a browser answers when it is asked for a passkey, as WebAuthn defines it. The sign-in library verifies it. */
const credential = z.object(
  {
    id: boundedText('response.id', MAX_CREDENTIAL_ID_CHARS).min(1, { error: 'response.id must not be empty' }),
    rawId: boundedText('response.rawId', MAX_CREDENTIAL_ID_CHARS),
    type: z.literal('public-key', { error: 'response.type must be public-key' }),
    authenticatorAttachment: identifier('response.authenticatorAttachment').optional(),
    clientExtensionResults: z
      .record(z.string(), z.unknown(), { error: 'response.clientExtensionResults must be an object' })
      .default({}),
    response: z.object(
      {
        clientDataJSON: credentialText('response.response.clientDataJSON'),
        attestationObject: credentialText('response.response.attestationObject').optional(),
        authenticatorData: credentialText('response.response.authenticatorData').optional(),
        signature: credentialText('response.response.signature').optional(),
        userHandle: credentialText('response.response.userHandle').optional(),
        transports: z
          .array(identifier('response.response.transports'), { error: 'response.response.transports must be a list' })
          .max(10, { error: 'response.response.transports must have at most 10 entries' })
          .optional(),
      },
      { error: 'response.response must be an object' },
    ),
  },
  { error: 'response must be what the browser answered' },
);

export const MAX_PASSKEY_NAME_CHARS = 60;

/** What the user calls the passkey. */
const passkeyName = readByOthers(
  boundedText('name', MAX_PASSKEY_NAME_CHARS).trim().min(1, { error: 'name must not be empty' }),
);

export const addPasskeyFields = z.object({ response: credential, name: passkeyName });
export const usePasskeyFields = z.object({ response: credential });
export const renamePasskeyFields = z.object({ id: identifier('id'), name: passkeyName });
export const removePasskeyFields = z.object({ id: identifier('id') });
