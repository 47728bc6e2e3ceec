import type { IdTokenCheck } from '../accounts/id-token.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { Inbox } from '../payments/inbox.ts';
import type { PaymentsContext } from '../payments/payments-context.ts';

/** What the routes work with: tracking, payments, and who signs in. */
export type ServiceContext = PaymentsContext & {
  signIn: SignIn;
  checkIdToken: IdTokenCheck;
  signup: 'open' | 'closed';
  baseUrl: string;
  /** Works off what payment processors send. */
  inbox: Inbox;
};
