import type { Context } from '../context.ts';
import type { Decision, DecisionKind } from './decision.ts';
import { insertDecisions } from './decision-store.ts';
import type { Reason } from './reasons.ts';

export type Refusal = {
  programId: number;
  kind: DecisionKind;
  reason: Extract<Reason, 'invalid_request' | 'program_mismatch' | 'key_retired'>;
  message: string;
  /** The field that the message is about. */
  field: string | undefined;
  identifiers: Pick<Decision, 'transactionId' | 'customerKey' | 'clickId'>;
  source: Decision['source'];
  requestId: string;
  isTest: boolean;
};

/** Records attempts that were refused before they reached a verb, so that they can be explained like any other. */
export async function recordRefusals(ctx: Context, refusals: Refusal[]): Promise<void> {
  await insertDecisions(
    ctx.db,
    refusals.map(({ identifiers, message, field, ...refusal }) => ({
      ...refusal,
      ...identifiers,
      outcome: 'refused',
      facts: field === undefined ? { message } : { message, field },
      createdAt: ctx.now(),
    })),
  );
}
