import type { AlertKind } from '@svc/contract';
import { HOUR_MS } from '../time.ts';

/** Something that is wrong with a program. `subjectId` says with what, and there is one open alert about it. */
export type Trouble = { programId: number; kind: AlertKind; subjectId: string; subjectName: string };

/** An endpoint that the owners were warned about, or that is disabled. */
export type EndpointHealth = {
  programId: number;
  id: number;
  url: string;
  disabledReason: 'person' | 'gone' | 'failing' | null;
  warnedAt: Date | null;
};

/** A connection to a payment processor. */
export type ProcessorHealth = {
  programId: number;
  provider: string;
  /** What people call it. */
  title: string;
  connectedAt: Date;
  /** Whether there is an event that failed for good and can still be replayed. */
  hasFailedEvents: boolean;
  /** When the last event with a valid signature arrived. */
  lastAcceptedAt: Date | null;
  /** When the last request was refused because of its signature, since a secret was last added. */
  lastRefusedAt: Date | null;
};

/**
 * For how long nothing else has to arrive before refused signatures are trouble. Anyone can call the address with a wrong
 * signature, so one such request among others says nothing.
 */
const REFUSED_FOR_MS = HOUR_MS;

/** What is wrong at the moment. */
export function findTroubles(
  endpoints: EndpointHealth[],
  processors: ProcessorHealth[],
  /** Programs whose books do not agree. */
  differing: number[],
): Trouble[] {
  return [
    ...endpoints.filter(isFailing).map(
      ({ programId, id, url }): Trouble => ({
        programId,
        kind: 'webhook_failing',
        subjectId: String(id),
        // The rest of an address may be a secret.
        subjectName: new URL(url).host,
      }),
    ),
    ...processors
      .filter((processor) => processor.hasFailedEvents || isRefusing(processor))
      .map(
        ({ programId, provider, title }): Trouble => ({
          programId,
          kind: 'payment_events_failing',
          subjectId: provider,
          subjectName: title,
        }),
      ),
    ...differing.map(
      (programId): Trouble => ({ programId, kind: 'books_differ', subjectId: 'books', subjectName: 'Books' }),
    ),
  ];
}

/** The person who disables an endpoint knows about it. */
function isFailing({ disabledReason, warnedAt }: EndpointHealth): boolean {
  return disabledReason === null ? warnedAt !== null : disabledReason !== 'person';
}

function isRefusing({ connectedAt, lastAcceptedAt, lastRefusedAt }: ProcessorHealth): boolean {
  if (lastRefusedAt === null) return false;
  const wellUntil = Math.max(connectedAt.getTime(), lastAcceptedAt?.getTime() ?? 0);
  return lastRefusedAt.getTime() - wellUntil >= REFUSED_FOR_MS;
}

export type OpenAlert = Trouble & { id: number };

/** Which troubles are new, and which alerts are over. */
export function compareAlerts(troubles: Trouble[], open: OpenAlert[]): { opening: Trouble[]; closing: OpenAlert[] } {
  const keyOf = ({ programId, kind, subjectId }: Trouble) => `${programId} ${kind} ${subjectId}`;
  const [troubled, alerted] = [new Set(troubles.map(keyOf)), new Set(open.map(keyOf))];
  return {
    opening: troubles.filter((trouble) => !alerted.has(keyOf(trouble))),
    closing: open.filter((alert) => !troubled.has(keyOf(alert))),
  };
}
