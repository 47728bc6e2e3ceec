import { MAX_REFUSED_EVENTS, type manageSetup, type ReplyData } from '@svc/contract';
import { reasons } from '../../decisions/reasons.ts';
import { addDays } from '../../time.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { findOwnEvents } from './own-event-store.ts';
import { listRefusedEvents, type RefusedEvent } from './refused-event-store.ts';

type Setup = ReplyData<typeof manageSetup>;

/** What has arrived from the brand's own site and server, and what was refused lately. */
export async function reportSetup(ctx: TrackingContext, programId: number): Promise<Setup> {
  // The guide shows refused calls as they happen; the counts of this node would otherwise be some seconds late.
  await ctx.refusals.flush();
  const [{ click, lead, sale }, refused] = await Promise.all([
    findOwnEvents(ctx.db, programId),
    listRefusedEvents(ctx.db, programId, addDays(ctx.now(), -1), MAX_REFUSED_EVENTS),
  ]);
  return {
    click: click && { at: click.at.toISOString(), origin: originOf(click.landingUrl), is_test: click.isTest },
    lead: lead && { at: lead.at.toISOString(), source: lead.source, referred: lead.isReferred, is_test: lead.isTest },
    sale: sale && {
      at: sale.at.toISOString(),
      source: sale.source,
      transaction_id: sale.transactionId,
      amount_cents: sale.amountCents,
      currency: sale.currency,
      referred: sale.isReferred,
      is_test: sale.isTest,
    },
    refused: refused.map(toRefusedReply),
  };
}

function toRefusedReply(event: RefusedEvent): Setup['refused'][number] {
  return {
    kind: event.kind,
    outcome: event.outcome,
    reason: event.reason,
    sentence:
      event.reason === 'link_disabled' ? 'The link is disabled, or its partner is not active.' : reasons[event.reason],
    message: event.message,
    field: event.field,
    origin: event.origin,
    calls: event.calls,
    transaction_id: event.transactionId,
    customer_key: event.customerKey,
    click_id: event.clickId,
    click_age_days: event.clickAgeDays,
    window_days: event.windowDays,
    is_test: event.isTest,
    at: event.at.toISOString(),
  };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
