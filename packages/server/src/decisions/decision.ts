import type { Reason } from './reasons.ts';

export type DecisionKind = 'lead' | 'sale' | 'refund' | 'commission' | 'assignment';
/** `person`: somebody of the brand, by hand. `synthetic`: a test that the service made itself, which says nothing about the brand's site. */
export type DecisionSource = 'api' | 'browser' | 'repair' | 'processor' | 'person' | 'synthetic';

/** One attempt at a lead, sale or refund: how it ended, why, and the facts it was decided on. */
export type Decision = {
  programId: number;
  kind: DecisionKind;
  outcome: 'recorded' | 'unchanged' | 'not_attributed' | 'refused' | 'failed';
  reason: Reason;
  facts: Record<string, unknown>;
  source: DecisionSource;
  customerId?: number | null;
  partnerId?: number | null;
  saleId?: number | null;
  transactionId?: string | null;
  customerKey?: string | null;
  clickId?: string | null;
  additionalData?: Record<string, unknown> | null;
  requestId: string | null;
  isTest: boolean;
  createdAt: Date;
};
