import { type ClickBody, errors, keyRefusal, programReference, type ReplyOf, trackClick } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageFacts } from '../../clicks/click.ts';
import { type ClickOutcome, findClickedLink, recordClick, recordLinklessTestClick } from '../../clicks/record-click.ts';
import { formatClickId } from '../../customers/click-id.ts';
import type { Program } from '../../programs/program.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { addRoute } from '../add-route.ts';
import { parseBody } from '../body.ts';
import { hasTestKey } from '../callers/credential.ts';
import { namesOtherProgram } from './attempt.ts';
import { asksForCookie, clickCookie } from './click-cookie.ts';
import { CLICK_REPORT } from './report-routes.ts';

export function addClickRoute(app: FastifyInstance, ctx: TrackingContext): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const parsed = parseBody(trackClick, request.body, hasTestKey(request));
    if (parsed.isTest) refuseTestCaller(request);
    if (!parsed.ok) throw errors.invalidField(parsed.problem);
    const { body, isTest } = parsed;
    const origin = request.headers.origin;
    const existingClickId = body.existing_click_id;
    const isRelayed = asksForCookie(request);
    const answer = (outcome: ClickOutcome) => {
      const cookie = isRelayed && clickCookie(request, outcome, ctx.now());
      if (cookie) reply.header('Set-Cookie', cookie);
      return toReply(outcome, isTest);
    };
    if (body.affiliate_url) {
      const { aff, url } = body.affiliate_url;
      const programId = body.program_id;
      if (request.relayed) {
        await request.relayed.confirm((await findClickedLink(ctx, aff, { origin, url, programId }))?.programId);
      }
      // Written out instead of spread: every click makes one, and objects of one shape are cheap.
      const page = pageFacts(ctx, request, body);
      return answer(await recordClick(ctx, { aff, programId, origin, existingClickId, isTest, isRelayed, page }));
    }
    const program = await programOfTest(ctx, request, body);
    if (!program) throw errors.affiliateUrlRequired();
    await request.relayed?.confirm(program.id);
    const page = pageFacts(ctx, request, body);
    return answer(await recordLinklessTestClick(ctx, program, { origin, existingClickId, isRelayed, page }));
  };
  addRoute(app, trackClick, handle);
  addRoute(app, trackClick, handle, CLICK_REPORT);
}

function refuseTestCaller(request: FastifyRequest): void {
  if (request.credential.is === 'unknown') throw keyRefusal(trackClick, 'unknown');
  if (namesOtherProgram(request)) throw errors.programMismatch();
}

async function programOfTest(ctx: TrackingContext, request: FastifyRequest, body: ClickBody): Promise<Program | null> {
  const { credential } = request;
  const id =
    credential.is === 'program-key'
      ? credential.key.programId
      : programReference.parse(body.additional_data?.program_id);
  return id === undefined ? null : ctx.lookup.program(id);
}

function pageFacts({ countryOf }: TrackingContext, request: FastifyRequest, body: ClickBody): PageFacts {
  const { headers, relayed } = request;
  return {
    affiliateUrl: body.affiliate_url?.url,
    sub: body.affiliate_url?.sub,
    pageUrl: body.page_url,
    pageTitle: body.page_title,
    referrerUrl: body.referrer_url,
    sessionId: body.session_id,
    userAgent: body.user_agent ?? headers['user-agent']?.slice(0, 1024),
    screenResolution: body.screen_resolution,
    viewportSize: body.viewport_size,
    language: body.language,
    timezone: body.timezone,
    // Behind a proxy, the address is read from its header each time.
    country: countryOf?.(relayed?.address ?? request.ip),
  };
}

function toReply(
  { program, shortLink, clickId, clickRowId }: ClickOutcome,
  isTest: boolean,
): ReplyOf<typeof trackClick> {
  return {
    success: true,
    click_id: formatClickId(clickId),
    ...(shortLink !== null && { partner_code: shortLink }),
    cookie_window_days: program.cookieWindowDays,
    ...(isTest && {
      message: 'Test click event tracked successfully',
      data: { eventId: clickRowId, programId: program.id, test_mode: true },
    }),
  };
}
