import type { IdTokenCheck } from '../accounts/id-token.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { SecretBox } from '../programs/secret-box.ts';
import type { TrackingContext } from '../tracking/tracking-context.ts';

/** What the routes work with: tracking, and who signs in. */
export type ServiceContext = TrackingContext & {
  signIn: SignIn;
  checkIdToken: IdTokenCheck;
  signup: 'open' | 'closed';
  baseUrl: string;
  /** Seals secrets that must be read back, like the signing secrets of payment processors. */
  secretBox: SecretBox;
};
