import type { CommissionType, Joining, LeadAuth } from '@svc/contract';

export type Program = {
  id: number;
  workspaceId: number;
  name: string;
  /** The name as part of an address, unique. */
  slug: string;
  domain: string;
  commissionType: CommissionType;
  /** A decimal with up to four places, as text, so that no rate is ever rounded. */
  commissionRate: string;
  currency: string;
  recurringMonths: number | null;
  cookieWindowDays: number;
  attributionWindowDays: number;
  holdDays: number;
  leadAuth: LeadAuth;
  allowedOrigins: string[];
  joining: Joining;
  /** What the link to join with ends in. */
  joinToken: string;
  createdAt: Date;
};

export type NewProgram = Pick<Program, 'workspaceId' | 'name' | 'domain' | 'commissionType' | 'commissionRate'> &
  Partial<
    Pick<
      Program,
      | 'currency'
      | 'cookieWindowDays'
      | 'attributionWindowDays'
      | 'holdDays'
      | 'leadAuth'
      | 'recurringMonths'
      | 'allowedOrigins'
      | 'joining'
    >
  >;
