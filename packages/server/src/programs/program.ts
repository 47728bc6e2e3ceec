import type {
  Attribution,
  CommissionBase,
  CommissionType,
  DescribedRule,
  Joining,
  LeadAuth,
  ProgramStatus,
  Question,
} from '@svc/contract';

/** What a workspace can set, with a default for each. */
export type ProgramTerms = {
  commissionType: CommissionType;
  /** A decimal with up to four places, as text, so that no rate is ever rounded. */
  commissionRate: string;
  /** Whether percentages are of the net amount or of everything that was paid. */
  commissionBase: CommissionBase;
  currency: string;
  recurringMonths: number | null;
  cookieWindowDays: number;
  attributionWindowDays: number;
  holdDays: number;
  leadAuth: LeadAuth;
  allowedOrigins: string[];
  /** Parameters that name the partner in links, besides `aff`, in the order in which they count. */
  linkParameters: string[];
  joining: Joining;
  /** Whether a coupon takes a customer over from the partner who had them first. */
  couponsWin: boolean;
};

export type Program = ProgramTerms & {
  id: number;
  workspaceId: number;
  name: string;
  /** The name as part of a URL, unique. */
  slug: string;
  domain: string;
  /** Whether its links count clicks and people can join it. */
  status: ProgramStatus;
  /** How the join page and the portal look; null for the defaults. */
  brandColor: string | null;
  logoName: string | null;
  /** What applicants are asked. */
  questions: Question[];
  /** The version of the agreement that new partners accept, if any. */
  agreementVersion: number | null;
  /** How partners reach the brand. */
  contactEmail: string | null;
  contactUrl: string | null;
  /** The end of the join link. */
  joinToken: string;
  /** The number of the current version of the terms, and since when it is in force. */
  termsVersion: number;
  termsSince: Date;
  /** The rules of the current version, in order. */
  rules: DescribedRule[];
  /** Which click of a visitor is credited. */
  attribution: Attribution;
  /** Later versions that are not in the row yet, in order. They have the same commission settings. */
  scheduledTerms: ScheduledTerms[];
  /** The group of partners who were not moved to another one. */
  defaultGroupId: number;
  createdAt: Date;
};

/** A version of the terms that begins later. The time is as JSON has it. */
export type ScheduledTerms = { version: number; since: string; rules: DescribedRule[]; attribution: Attribution };

/** The rules in force at a time after the row of the program was read. */
export function rulesInForce({ scheduledTerms, rules }: Program, now: Date): DescribedRule[] {
  return scheduledTerms.findLast(({ since }) => new Date(since) <= now)?.rules ?? rules;
}

export type Contact = Partial<Pick<Program, 'contactEmail' | 'contactUrl'>>;

export type NewProgram = Pick<Program, 'workspaceId' | 'name' | 'domain'> & Partial<ProgramTerms> & Contact;

/** The new program with a value for everything that was not given. */
export function withDefaults(program: NewProgram): NewProgram & ProgramTerms {
  return {
    ...program,
    commissionType: program.commissionType ?? 'percent',
    commissionRate: program.commissionRate ?? '20',
    commissionBase: program.commissionBase ?? 'net',
    currency: program.currency ?? 'USD',
    recurringMonths: program.recurringMonths ?? null,
    cookieWindowDays: program.cookieWindowDays ?? 60,
    attributionWindowDays: program.attributionWindowDays ?? 60,
    holdDays: program.holdDays ?? 30,
    leadAuth: program.leadAuth ?? 'browser_allowed',
    allowedOrigins: program.allowedOrigins ?? [],
    linkParameters: program.linkParameters ?? [],
    joining: program.joining ?? 'closed',
    couponsWin: program.couponsWin ?? false,
  };
}
