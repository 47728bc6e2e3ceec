import { deleteExpiredTokens } from '../accounts/account-token-store.ts';
import { deleteOldCliSessions } from '../accounts/cli-logins/cli-session-store.ts';
import { deleteOldCodes } from '../accounts/oauth/oauth-code-store.ts';
import { deleteOldAttempts } from '../accounts/sign-in-attempt-store.ts';
import { deleteExpiredSessions } from '../accounts/sign-in-store.ts';
import { deleteExpiredInvitations } from '../accounts/workspaces/invitation-store.ts';
import type { Job } from './job.ts';

const DAY_MS = 86_400_000;
/** Expired invitations stay in the team's list for a while, so that they can be sent again. */
const INVITATION_DAYS = 30;

/**
 * Deletes what no longer gives access: expired sessions, account tokens and invitations, CLI logins, and codes of
 * applications. CLI logins expire after five minutes; they are kept for a day, so that an expired one is not reported as
 * unknown. So are codes, which expire after one minute, so that a second exchange ends the token of the first.
 */
export const purgeLogins: Job = {
  name: 'purge-logins',
  everySeconds: 3600,
  async run(ctx) {
    const now = ctx.now();
    const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
    await deleteOldCliSessions(ctx.db, daysAgo(1));
    await deleteOldCodes(ctx.db, daysAgo(1));
    await deleteOldAttempts(ctx.db, daysAgo(1));
    const sessions = await deleteExpiredSessions(ctx.db, now);
    const tokens = await deleteExpiredTokens(ctx.db, daysAgo(1));
    const invitations = await deleteExpiredInvitations(ctx.db, daysAgo(INVITATION_DAYS));
    if (sessions + tokens + invitations === 0) return null;
    return `purged ${sessions} sessions, ${tokens} account tokens and ${invitations} invitations that had expired`;
  },
};
