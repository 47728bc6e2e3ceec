import type { TrackingContext } from '../tracking-context.ts';
import type { Encryption } from './encryption.ts';
import type { EventOutcome } from './outcomes.ts';

/** What the payment verbs work with. */
export type PaymentsContext = TrackingContext & {
  /** Opens the signing secrets and the contents of events. */
  encryption: Encryption;
  /** Told after each attempt at an event what became of it. */
  onEventProcessed(outcome: EventOutcome): void;
};
