import { type ClickBody, errors, keyRefusal, programReference, type ReplyOf, trackClick } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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

export function addClickRoute(app: FastifyInstance, ctx: TrackingContext): void {
  addRoute(app, trackClick, async (request, reply) => {
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
    const about = () => ({
      ...{ origin, existingClickId, isRelayed },
      page: pageFacts(body, request.headers['user-agent'], ctx.countryOf?.(request.relayed?.address ?? request.ip)),
    });
    if (body.affiliate_url) {
      const { aff, url } = body.affiliate_url;
      const programId = body.program_id;
      if (request.relayed) {
        await request.relayed.confirm((await findClickedLink(ctx, aff, { origin, url, programId }))?.programId);
      }
      return answer(await recordClick(ctx, { aff, programId, isTest, ...about() }));
    }
    const program = await programOfTest(ctx, request, body);
    if (!program) throw errors.affiliateUrlRequired();
    await request.relayed?.confirm(program.id);
    return answer(await recordLinklessTestClick(ctx, program, about()));
  });
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

function pageFacts(body: ClickBody, userAgent: string | undefined, country: string | undefined): PageFacts {
  return {
    affiliateUrl: body.affiliate_url?.url,
    sub: body.affiliate_url?.sub,
    pageUrl: body.page_url,
    pageTitle: body.page_title,
    referrerUrl: body.referrer_url,
    sessionId: body.session_id,
    userAgent: body.user_agent ?? userAgent?.slice(0, 1024),
    screenResolution: body.screen_resolution,
    viewportSize: body.viewport_size,
    language: body.language,
    timezone: body.timezone,
    country,
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
