import type { SignIn } from '../accounts/sign-in.ts';
import type { IdTokenVerifier } from '../accounts/verify-id-token.ts';
import type { DueWorker } from '../db/due-work.ts';
import type { JoinedDb } from '../db/joined-transaction.ts';
import type { DomainsContext } from '../domains/change-domains.ts';
import type { FeedReaders } from '../feed/feed-readers.ts';
import type { CallOut } from '../outbound/call-out.ts';
import type { PaymentsContext } from '../payments/payments-context.ts';

/** What the routes work with: tracking, payments and sign-in. */
export type ServiceContext = PaymentsContext &
  DomainsContext & {
    signIn: SignIn;
    /** The store as the sign-in library uses it. */
    signInStore: JoinedDb;
    verifyIdToken: IdTokenVerifier;
    signup: 'open' | 'closed';
    baseUrl: string;
    /** The key of the signatures in mailed links. */
    linkSecret: string;
    /** The key of the hashes of Idempotency-Keys and of the requests that carry them. */
    idempotencySecret: string;
    /** How many bytes of answers to requests with such a key are kept for a program, or for an account, in a day. */
    keptBytesPerDay: number;
    /** How many programs a workspace may have. */
    maxPrograms: number;
    /** Processes what payment processors have sent. */
    eventWorker: DueWorker;
    /** Works through bulk actions. */
    bulkWorker: DueWorker;
    /** Numbers what has been announced. */
    numbering: DueWorker;
    /** Readers of the feed who wait for events. */
    feedReaders: FeedReaders;
    /** Sends due webhooks. */
    deliveries: DueWorker;
    /** Calls to addresses that users have entered. */
    callOut: CallOut;
  };
