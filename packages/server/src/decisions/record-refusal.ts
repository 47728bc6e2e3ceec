import type { Context } from '../context.ts';
import type { Decision, DecisionKind } from './decision.ts';
import { insertDecision } from './decision-store.ts';
import type { Reason } from './reasons.ts';

type Refusal = {
  programId: number;
  kind: DecisionKind;
  reason: Extract<Reason, 'invalid_request' | 'program_mismatch' | 'key_retired'>;
  message: string;
  identifiers: Pick<Decision, 'transactionId' | 'customerKey' | 'clickId'>;
  source: Decision['source'];
  requestId: string;
  isTest: boolean;
};

/** Records an attempt that was refused before it reached a verb, so that it can be explained like any other. */
export async function recordRefusal(ctx: Context, { identifiers, message, ...refusal }: Refusal): Promise<void> {
  await insertDecision(ctx.db, {
    ...refusal,
    ...identifiers,
    outcome: 'refused',
    facts: { message },
    createdAt: ctx.now(),
  });
}
