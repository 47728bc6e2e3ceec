import { errors, isStorable, MAX_IDENTIFIER_CHARS } from '@svc/contract';
import { parseClickId } from '../customers/click-id.ts';
import { identifyLink, type Place } from '../partners/links/identify-link.ts';
import { isLinkLive, type Link } from '../partners/links/link.ts';
import { isOriginAllowed } from '../programs/origins.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import type { PageFacts, RecordedClick } from './click.ts';
import { joinRedirectedClick } from './join-redirected-click.ts';

export type ClickRequest = {
  aff: string;
  /** The program that the page says it belongs to. */
  programId?: number | undefined;
  origin: string | undefined;
  existingClickId: string | undefined;
  isTest: boolean;
  /** Whether a server of the brand passed it on, with the cookie that came back. */
  isRelayed?: boolean;
  page: PageFacts;
};

export type ClickOutcome = RecordedClick & { program: Program; shortLink: string | null };

/**
 * Records a click on a referral link, unless a redirect has done so. It waits for its group, which `insertClicks` writes; a cached
 * link costs no reads.
 */
export async function recordClick(ctx: TrackingContext, request: ClickRequest): Promise<ClickOutcome> {
  const { aff, origin, programId, page } = request;
  const link = await findClickedLink(ctx, aff, { origin, url: page.affiliateUrl, programId });
  if (!link) throw errors.linkNotFound();
  const program = link.programId === null ? null : await ctx.lookup.program(link.programId);
  if (!program || link.partnerId === null) throw errors.linkMisconfigured();
  requireAllowedOrigin(ctx, program, request.origin);
  if (!isLinkLive(link, program)) {
    ctx.refusals.count({ programId: program.id, kind: 'click', reason: 'link_disabled', origin: request.origin });
    throw errors.linkDisabled();
  }

  const joined = request.existingClickId ? await joinRedirectedClick(ctx, link, program, request) : null;
  const { clickId, clickRowId } = joined ?? (await submitClick(ctx, link, program, request));
  return { clickId, clickRowId, program, shortLink: link.shortLink };
}

/** Puts a click on a live link of the program into the next group. With `maxWaitMs`, it is given up if no group begins in time. */
export function submitClick(
  ctx: Pick<TrackingContext, 'clicks' | 'now'>,
  link: Link,
  program: Program,
  { existingClickId, isTest, isRelayed, page }: Omit<ClickRequest, 'aff' | 'origin' | 'programId'>,
  maxWaitMs?: number,
): Promise<RecordedClick> {
  const click = {
    programId: program.id,
    linkId: link.id,
    partnerId: link.partnerId,
    membershipId: link.membershipId,
    existing: parseClickId(existingClickId),
    clickedAt: ctx.now(),
    isTest: isTest || link.isTest,
    isRelayed,
    page,
  };
  return ctx.clicks.submit(click, maxWaitMs);
}

/** The link that `aff` names at this place. */
export async function findClickedLink(
  { lookup }: Pick<TrackingContext, 'lookup'>,
  aff: string,
  place: Place,
): Promise<Link | null> {
  const couldExist = aff.length <= MAX_IDENTIFIER_CHARS && isStorable(aff);
  return couldExist ? identifyLink(lookup, aff, place) : null;
}

/** Records a test click without a link, to check that events arrive. */
export async function recordLinklessTestClick(
  ctx: TrackingContext,
  program: Program,
  request: Omit<ClickRequest, 'aff' | 'isTest'>,
): Promise<ClickOutcome> {
  requireAllowedOrigin(ctx, program, request.origin);
  const recorded = await ctx.clicks.submit({
    programId: program.id,
    linkId: null,
    partnerId: null,
    membershipId: null,
    existing: parseClickId(request.existingClickId),
    clickedAt: ctx.now(),
    isTest: true,
    isRelayed: request.isRelayed,
    page: request.page,
  });
  return { ...recorded, program, shortLink: null };
}

function requireAllowedOrigin(ctx: TrackingContext, program: Program, origin: string | undefined): void {
  if (origin === undefined || isOriginAllowed(program, origin)) return;
  ctx.refusals.count({ programId: program.id, kind: 'click', reason: 'origin_not_allowed', origin });
  throw errors.originNotAllowed();
}
