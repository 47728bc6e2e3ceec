import type { ClickId } from '../customers/click-id.ts';

/** What is known about the visit, mostly what the page reported; every field is optional. */
export type PageFacts = {
  affiliateUrl?: string;
  /** What the partner appended to the link to tell their placements apart. */
  sub?: string;
  pageUrl?: string;
  pageTitle?: string;
  referrerUrl?: string;
  sessionId?: string;
  userAgent?: string;
  screenResolution?: string;
  viewportSize?: string;
  language?: string;
  timezone?: string;
  /** The country of the caller's address, as an ISO 3166 code. */
  country?: string;
};

export type NewClick = {
  programId: number;
  linkId: number | null;
  partnerId: number | null;
  membershipId: number | null;
  /** The click id the browser already has. If its customer is in the program, the click is theirs; their partner stays. */
  existing: ClickId | null;
  clickedAt: Date;
  isTest: boolean;
  /** Whether a server of the brand passed it on. Not set as long as no page has reported it, but a redirect or a test of the service. */
  isRelayed?: boolean | undefined;
  page: PageFacts;
};

export type RecordedClick = { clickRowId: number; clickId: ClickId };
