import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { queueMailToAll, queueMailToPartner } from '../mail/queue-mail.ts';
import { findPartnerRecipient, listOwnerIds } from '../mail/recipient-store.ts';
import { findFirstSales } from './first-sale-store.ts';
import type { WrittenSale } from './sale-rows.ts';

type SaleOfPartner = { sale: WrittenSale; programId: number; partnerId: number; saleId: number; pair: string };

/** More would take too much memory; then every partner is asked about once more. */
const MAX_KNOWN = 100_000;

/**
 * Tells a partner, and the owners of the brand, about the first sale of the partner in a program. Partners who had one are
 * remembered, so most groups of sales ask nothing.
 */
export async function reportFirstSales(tx: Queryable, ctx: Context, written: WrittenSale[]): Promise<void> {
  if (!ctx.mail) return;
  const { sellers } = ctx.mail;
  const asked = new Map<string, SaleOfPartner>();
  for (const sale of written.flatMap(saleOfPartner)) {
    if (!sellers.has(sale.pair) && !asked.has(sale.pair)) asked.set(sale.pair, sale);
  }
  if (asked.size === 0) return;
  const first = await findFirstSales(tx, [...asked.values()]);
  if (sellers.size + asked.size > MAX_KNOWN) sellers.clear();
  for (const sale of asked.values()) {
    // A first sale may still be rolled back, so it is remembered with the next one.
    if (first.has(sale.saleId)) await mailFirstSale(tx, ctx, sale);
    else sellers.add(sale.pair);
  }
}

/** The sale, if it is a real one with a commission for a partner. */
function saleOfPartner(sale: WrittenSale): SaleOfPartner[] {
  const { program, sale: sent } = sale.attempt;
  const partnerId = sale.facts.partnerExists ? sale.facts.customer?.partnerId : null;
  if (!partnerId || sent.isTest || sale.verdict.is !== 'recorded') return [];
  const programId = program.id;
  return [{ sale, programId, partnerId, saleId: sale.saleId, pair: `${programId} ${partnerId}` }];
}

async function mailFirstSale(tx: Queryable, ctx: Context, { sale, programId, partnerId, pair }: SaleOfPartner) {
  const { program, sale: sent } = sale.attempt;
  const partner = await findPartnerRecipient(tx, partnerId);
  const fields = { currency: sent.currency, amountCents: sent.amountCents, partnerName: partner?.name ?? '' };
  const mail = { kind: 'first_sale', programId } as const;
  await queueMailToPartner(tx, ctx, partnerId, {
    ...mail,
    cause: `${pair} partner`,
    fields: { ...fields, isOwn: true },
  });
  const owners = await listOwnerIds(tx, program.workspaceId);
  await queueMailToAll(tx, ctx, owners, { ...mail, cause: `${pair} brand`, fields: { ...fields, isOwn: false } });
}
