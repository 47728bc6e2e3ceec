import type { SignIn } from '../accounts/sign-in.ts';
import type { IdTokenVerifier } from '../accounts/verify-id-token.ts';
import type { EventWorker } from '../payments/event-worker.ts';
import type { PaymentsContext } from '../payments/payments-context.ts';

/** What the routes work with: tracking, payments and sign-in. */
export type ServiceContext = PaymentsContext & {
  signIn: SignIn;
  verifyIdToken: IdTokenVerifier;
  signup: 'open' | 'closed';
  baseUrl: string;
  /** How many programs a workspace may have. */
  maxPrograms: number;
  /** Processes what payment processors have sent. */
  eventWorker: EventWorker;
};
