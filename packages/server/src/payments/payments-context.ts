import type { Encryption } from '../encryption.ts';
import type { TrackingContext } from '../tracking-context.ts';
import type { EventOutcome } from './events/outcomes.ts';

/** The context of everything that handles payments. */
export type PaymentsContext = TrackingContext & {
  /** Decrypts signing secrets and the contents of events. */
  encryption: Encryption;
  /** Called after each attempt to process an event. */
  onEventProcessed(outcome: EventOutcome): void;
};
