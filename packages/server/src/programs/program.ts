import type { CommissionType, Joining, LeadAuth } from '@svc/contract';

/** What a workspace can set, with a default for each. */
export type ProgramTerms = {
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
};

export type Program = ProgramTerms & {
  id: number;
  workspaceId: number;
  name: string;
  /** The name as part of a URL, unique. */
  slug: string;
  domain: string;
  /** The end of the join link. */
  joinToken: string;
  createdAt: Date;
};

export type NewProgram = Pick<Program, 'workspaceId' | 'name' | 'domain'> & Partial<ProgramTerms>;

/** The new program with a value for everything that was not given. */
export function withDefaults(program: NewProgram): NewProgram & ProgramTerms {
  return {
    ...program,
    commissionType: program.commissionType ?? 'percent',
    commissionRate: program.commissionRate ?? '20',
    currency: program.currency ?? 'USD',
    recurringMonths: program.recurringMonths ?? null,
    cookieWindowDays: program.cookieWindowDays ?? 60,
    attributionWindowDays: program.attributionWindowDays ?? 60,
    holdDays: program.holdDays ?? 30,
    leadAuth: program.leadAuth ?? 'browser_allowed',
    allowedOrigins: program.allowedOrigins ?? [],
    joining: program.joining ?? 'closed',
  };
}
