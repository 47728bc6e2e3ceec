import { CLICK_COOKIE } from '@svc/contract';
import { parseClickId } from '../customers/click-id.ts';
import type { Link } from '../partners/links/link.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import type { PageFacts, RecordedClick } from './click.ts';
import { updateVisitor } from './redirected-click-store.ts';

/** An address with an older click id was saved or shared, so opening it is a new click. */
const MAX_AGE_MS = 86_400_000;

type Reported = { existingClickId: string | undefined; isTest: boolean; isRelayed?: boolean; page: PageFacts };

/**
 * A redirect cannot read the id that a visitor already has, so it records their click under a new one. If the page that it led to
 * reports the click with both ids, the click becomes that visitor's instead of being recorded again. A relay reports it with the
 * redirect's id as the visitor's, for the cookie, and it stays as it is. Null if there is no such click.
 */
export async function joinRedirectedClick(
  ctx: Pick<TrackingContext, 'db' | 'now'>,
  link: Link,
  program: Program,
  { existingClickId, isTest, isRelayed = false, page: { affiliateUrl } }: Reported,
): Promise<RecordedClick | null> {
  const visitor = parseClickId(existingClickId);
  const redirected = affiliateUrl === undefined ? null : clickIdIn(affiliateUrl);
  if (!visitor || !redirected) return null;
  // What is the visitor's already does not change hands, so no age and no test makes it another click.
  const isOwn = visitor.customerId === redirected.customerId;
  if (!isOwn && (isTest || link.isTest)) return null;
  if (!isOwn && ctx.now().getTime() - redirected.clickedAt.getTime() > MAX_AGE_MS) return null;
  const click = { programId: program.id, linkId: link.id, visitor, redirected, isRelayed };
  const clickRowId = await updateVisitor(ctx.db, click);
  return clickRowId === null ? null : { clickRowId, clickId: visitor };
}

function clickIdIn(url: string) {
  // Nearly all reports end here, without parsing the address again.
  if (!url.includes(CLICK_COOKIE)) return null;
  return parseClickId(new URL(url).searchParams.get(CLICK_COOKIE) ?? undefined);
}
