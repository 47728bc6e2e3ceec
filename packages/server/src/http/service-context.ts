import type { SignIn } from '../accounts/sign-in.ts';
import type { IdTokenVerifier } from '../accounts/verify-id-token.ts';
import type { EventWorker } from '../payments/event-worker.ts';
import type { PaymentsContext } from '../payments/payments-context.ts';

/** What the routes work with: tracking, payments, and who signs in. */
export type ServiceContext = PaymentsContext & {
  signIn: SignIn;
  verifyIdToken: IdTokenVerifier;
  signup: 'open' | 'closed';
  baseUrl: string;
  /** Works off what payment processors send. */
  inbox: EventWorker;
};
