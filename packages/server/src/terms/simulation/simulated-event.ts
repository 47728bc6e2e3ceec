import type { CommissionBase, CommissionType } from '@svc/contract';
import type { RewardedSale } from '../rule-match.ts';
import type { StoredFacts } from '../stored-facts.ts';

/** A commission as it is stored. */
export type ActualCommission = {
  partnerId: number;
  cents: number;
  currency: string;
  isRejected: boolean;
  version: number | null;
  rule: number | null;
};

/** A sale or lead of the period, with what it earned. */
export type SimulatedEvent = {
  /** Null for a lead. */
  saleId: number | null;
  customerId: number;
  partnerId: number;
  at: Date;
  /** Null for a lead. */
  sale: SimulatedSale | null;
  version: number | null;
  /** What was known when the terms were applied. Null if an earlier release did it, or if there was nothing to apply. */
  facts: StoredFacts | null;
  /** What is known now, if the facts do not say it. */
  known: KnownFacts | null;
  /** Who would have been credited by the proposed terms: nobody if null. Missing: who was. */
  credited?: { partnerId: number; groupId: number | null; recruiterId: number | null } | null;
  own: ActualCommission | null;
  override: ActualCommission | null;
};

export type KnownFacts = {
  /** Null in the default group. */
  groupId: number | null;
  recruiterId: number | null;
  firstSaleAt: Date | null;
};

export type SimulatedSale = RewardedSale & {
  period: 'first' | 'renewal' | 'change';
  /** What the sale itself keeps of the terms, where the facts are not stored. */
  paid: PaidTerms | null;
};

export type PaidTerms = { type: CommissionType; rate: string; base: CommissionBase; currency: string };
