import type { ProcessorFact } from '../processor-fact.ts';
import type { SecretFormat } from './secret-format.ts';
import type { SignedRequest, VerifySignature } from './verify-signature.ts';

/** What every event has, whatever it is about. */
export type EventEnvelope = {
  id: string;
  type: string;
  happenedAt: Date;
  isLive: boolean;
  /** The account on a Connect platform. */
  account?: string | undefined;
};

/** Events of which one should have arrived by the time so many others have. */
export type ExpectedEvents = {
  events: string[];
  after: string[];
  count: number;
  /** What to check if none has. */
  message: string;
};

/** So many payments without a refund make it worth asking whether refunds are reported at all. */
export const PAYMENTS_WITHOUT_REFUND = 50;
/** Every payment has the events that it consists of. A few may still be on their way. */
export const PAYMENTS_ON_THEIR_WAY = 3;

/** What is specific to one payment processor. A new one is a folder with such an object, and a row in `processors.ts`. */
export type Processor = {
  /** Its name in sentences. */
  title: string;
  verify: VerifySignature;
  /** The envelope of an event; null if the payload is not an event of the processor. Some parts may be in the headers. */
  readEnvelope(payload: unknown, request: SignedRequest): EventEnvelope | null;
  /** Shown in the error when the payload has the wrong shape. */
  expected: string;
  /** What the event means. Never throws: events that are not used are ignored. */
  readEvent(payload: unknown): ProcessorFact;
  /** The event types to subscribe to, each with what it is used for. */
  events: Record<string, string>;
  /** Events that sooner or later come with others, if the endpoint is subscribed to them. */
  expects: ExpectedEvents[];
  secret: SecretFormat;
  /** Put before its ids of customers, subscriptions and discounts, so that they never meet those of another processor. */
  referencePrefix: string;
  /** What its own ids of customers look like, and the reference, without the prefix, that events have for such an id. */
  customerIds: { pattern: RegExp; referenceOf: (id: string) => string };
  /** How ids of invoices begin whose payments another event names: see `INVOICE_LINKS`. */
  linkedInvoicePrefix: string | null;
  /** Whether a platform can send the events of an account, signed with its own secret. */
  hasPlatforms: boolean;
  /** Whether events say if they are tests. If not, the secret that signed them does. */
  tellsTestMode: boolean;
};
