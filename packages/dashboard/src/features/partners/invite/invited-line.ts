import type { Row } from '../../../api/client.ts';
import type { Invitee } from '../../../rules/invitees.ts';

/** A line of the list and what became, or would become, of it. */
export type InvitedLine = Invitee & { result: Row<'manageInvitePartners'> | null };
