import type { SecretBox } from '../programs/secret-box.ts';
import type { TrackingContext } from '../tracking/tracking-context.ts';
import type { EventOutcome } from './outcomes.ts';

/** What the payment verbs work with. */
export type PaymentsContext = TrackingContext & {
  /** Opens the signing secrets and the contents of events. */
  secretBox: SecretBox;
  /** Told after each attempt at an event what became of it. */
  onEventWorked(outcome: EventOutcome): void;
};
