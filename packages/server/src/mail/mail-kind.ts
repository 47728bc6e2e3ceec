import { isOptionalMail, type MailKind, type PayoutKind } from '@svc/contract';
import { DAY_MS, HOUR_MS } from '../time.ts';

export type Amount = { currency: string; amountCents: number };

/** What happened to a payout. */
type PayoutFields = Amount & { payoutId: number };

/** An endpoint at which nothing arrives, since when, and the sentence about what failed last. */
type WebhookFields = { host: string; since: string; error: string | null };

/** What can change about the ways into an account. */
export type SecurityChange =
  | 'password_changed'
  | 'password_reset'
  | 'authenticator_app_added'
  | 'authenticator_app_removed'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factors_removed'
  | 'token_created'
  | 'scoped_token_created'
  | 'application_connected';

/** What each kind of mail says. Everything else is in its template. */
export type MailFields = {
  verify_address: { url: string };
  change_address: { url: string; newAddress: string };
  /** The link is created when the mail is sent, so asking takes the same time whether or not there is an account. */
  reset_password: Record<never, never>;
  team_invitation: { url: string; role: string; expiresAt: string };
  /** What they earn is missing in invitations to no program, and in those that an earlier release queued. */
  partner_invitation: { url: string; partnerName: string; expiresAt: string; earnings?: string[]; opening?: string };
  new_device: { device: string; ipAddress: string; at: string };
  /** The name is that of a token, an application or a passkey. */
  security_changed: { change: SecurityChange; name: string | null; at: string };
  /** Without a time, it can be used at once, or was removed. */
  payout_method_changed: {
    change: 'added' | 'changed' | 'removed';
    kind: PayoutKind;
    masked: string;
    usableFrom: string | null;
    at: string;
  };
  payout_wait_lifted: { kind: PayoutKind; masked: string };
  key_deadline: { rotateBy: string };
  application_received: { partnerId: number; partnerName: string };
  /** Missing in mails that an earlier release queued. */
  application_approved: { earnings?: string[]; opening?: string };
  application_declined: Record<never, never>;
  first_sale: Amount & { isOwn: boolean; partnerName: string };
  weekly_digest: {
    isOwn: boolean;
    from: string;
    to: string;
    sales: number;
    amounts: { currency: string; revenueCents: number; commissionCents: number }[];
    /** Who was moved to which group, at most a few. Missing in digests that an earlier release queued. */
    moves?: { partnerName: string; group: string }[];
  };
  balance_adjusted: Amount & { isBonus: boolean; reason: string };
  /** The texts have `{name}` and `{link}` in them. The address is that of the partner’s link. */
  partner_message: { subject: string; text: string; partnerName: string; url: string };
  payout_created: PayoutFields;
  statement_ready: PayoutFields & { reference: string | null };
  /** The reason is null if the brand cancelled it. */
  payout_failed: PayoutFields & { reason: string | null };
  payout_run_ready: { runId: number; number: number; totals: (Amount & { payouts: number })[]; leftOut: number };
  processor_trouble: { processor: string; eventType: string };
  webhook_failing: WebhookFields;
  /** Whether the receiver asked for it, by answering 410. */
  webhook_disabled: WebhookFields & { isGone: boolean };
  /** The receiver answered 410, or nothing has arrived for days. */
  postback_disabled: { reason: 'gone' | 'failing' };
};

/** So many mails in every stretch of time of this length. */
export type Allowance = { mails: number; everyMs: number };

type KindProperties = {
  /** For how long it is worth sending. */
  lifetimeMs: number;
  /** How many of them an address gets whose owner has proven it; no limit where it is not given. */
  toProven?: Allowance;
  /** How many of them a workspace may send in a day: anyone can create one and enter any address. */
  perWorkspaceDay?: number;
  /** Whether an account that was suspended still gets it. */
  reachesSuspended?: true;
};

/** A new kind does not compile until it has a row here, in its fields and in the table of templates. */
export const MAIL_PROPERTIES: Record<MailKind, KindProperties> = {
  verify_address: { lifetimeMs: DAY_MS },
  change_address: { lifetimeMs: DAY_MS },
  // A link works for an hour, so a person whose request is ignored still has one that works.
  reset_password: { lifetimeMs: HOUR_MS, toProven: { mails: 3, everyMs: HOUR_MS } },
  team_invitation: { lifetimeMs: 7 * DAY_MS, perWorkspaceDay: 100, toProven: { mails: 20, everyMs: DAY_MS } },
  partner_invitation: { lifetimeMs: 7 * DAY_MS, perWorkspaceDay: 1_000, toProven: { mails: 20, everyMs: DAY_MS } },
  new_device: { lifetimeMs: 3 * DAY_MS, reachesSuspended: true },
  security_changed: { lifetimeMs: 3 * DAY_MS, reachesSuspended: true },
  payout_method_changed: { lifetimeMs: 3 * DAY_MS, reachesSuspended: true },
  payout_wait_lifted: { lifetimeMs: 3 * DAY_MS },
  key_deadline: { lifetimeMs: 3 * DAY_MS },
  application_received: { lifetimeMs: 3 * DAY_MS },
  application_approved: { lifetimeMs: 3 * DAY_MS },
  application_declined: { lifetimeMs: 3 * DAY_MS },
  first_sale: { lifetimeMs: 3 * DAY_MS },
  weekly_digest: { lifetimeMs: 3 * DAY_MS },
  balance_adjusted: { lifetimeMs: 3 * DAY_MS },
  partner_message: { lifetimeMs: 3 * DAY_MS },
  payout_created: { lifetimeMs: 3 * DAY_MS },
  statement_ready: { lifetimeMs: 3 * DAY_MS },
  payout_failed: { lifetimeMs: 3 * DAY_MS },
  payout_run_ready: { lifetimeMs: 7 * DAY_MS },
  processor_trouble: { lifetimeMs: 3 * DAY_MS },
  webhook_failing: { lifetimeMs: 3 * DAY_MS },
  webhook_disabled: { lifetimeMs: 3 * DAY_MS },
  postback_disabled: { lifetimeMs: 3 * DAY_MS },
};

/** What an address gets that nobody has proven: anyone can enter it, and its owner may never have heard of this service. */
const TO_UNPROVEN: Allowance = { mails: 5, everyMs: DAY_MS };

/** How many mails of the kind an address gets; null without a limit. Optional kinds go to proven addresses only. */
export function allowanceOf(kind: MailKind, isProven: boolean): Allowance | null {
  if (isOptionalMail(kind)) return null;
  return isProven ? (MAIL_PROPERTIES[kind].toProven ?? null) : TO_UNPROVEN;
}

/** Mails that a person asked for and waits for in front of a page. */
const AWAITED: ReadonlySet<MailKind> = new Set(['reset_password', 'verify_address', 'change_address']);

/** Lower numbers are sent first. A link for a new password waits neither for invitations in bulk nor for digests. */
export function priorityOf(kind: MailKind): number {
  if (AWAITED.has(kind)) return 0;
  if (!isOptionalMail(kind)) return 1;
  return kind === 'weekly_digest' || kind === 'partner_message' ? 3 : 2;
}
