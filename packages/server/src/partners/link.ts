import type { MembershipStatus } from '@svc/contract';

/** What recording a click needs to know about the link. */
export type Link = {
  id: number;
  shortLink: string;
  active: boolean;
  isTest: boolean;
  programId: number | null;
  partnerId: number | null;
  membershipId: number | null;
  membershipStatus: MembershipStatus | null;
};

/** A link counts clicks while it is active and its partner is an active member of the program. */
export function isLinkLive(link: Link): boolean {
  return link.active && link.membershipStatus === 'active';
}
