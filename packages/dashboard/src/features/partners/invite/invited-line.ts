import type { Row } from '../../../api/client.ts';

/** A line of a list of people, and what became, or would become, of it. */
export type InvitedLine = {
  line: number;
  name: string;
  email: string;
  outcome: Row<'manageInvitePartners'>['outcome'];
  /** Why it was left out, or why no mail was sent. */
  reason: string | null;
};
