import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { addCoupon } from '../../../server/src/coupons/add-coupon.ts';
import { connectProcessor } from '../../../server/src/payments/connections/connect-processor.ts';
import type { Program } from '../../../server/src/programs/program.ts';
import type { TestProgram, TestService } from '../service.ts';
import { CUSTOM_SECRET, customSigned } from './custom.ts';
import { settle } from './stripe.ts';

/** A program of Jane's and Ben's that gets custom events. Ben has the code `BEN20`. */
export type CustomShop = TestProgram & { id: number; ben: { partnerId: number; link: string } };

/** Lets the program get custom events. */
export async function connectCustom({ ctx }: TestService, { program }: Pick<TestProgram, 'program'>): Promise<void> {
  const secret = { value: CUSTOM_SECRET, isTest: false };
  const connection = { provider: 'custom' as const, accountId: null, secret, isSandbox: false };
  await connectProcessor(ctx, program, connection, { hasPlatform: false, actor: OPERATOR });
}

export async function customShop(service: TestService, settings: Partial<Program> = {}): Promise<CustomShop> {
  const made = await service.program(settings);
  await connectCustom(service, made);
  const ben = await service.partner(made.program);
  await addCoupon(service.ctx, made.program, { code: 'BEN20', partnerId: ben.partnerId }, OPERATOR);
  return { ...made, id: made.program.id, ben };
}

/** Sends an event that happens now, and lets a minute pass. */
export async function sendCustom(service: TestService, { id }: CustomShop, event: object): Promise<void> {
  const body = JSON.stringify({ at: service.time.toISOString(), ...event });
  const headers = customSigned(body, service.time);
  const { status } = await service.call('POST', `/api/v1/webhooks/custom/${id}`, { body, headers });
  if (status !== 200) throw new Error(`The event was answered with ${status}`);
  await settle(service);
  service.advance({ seconds: 60 });
}

/** A payment of 50.00. */
export const customPayment = (transaction_id: string, payer: object, more: object = {}) => ({
  type: 'payment',
  transaction_id,
  amount_cents: 5_000,
  payer,
  ...more,
});

/** Somebody who follows the link and signs up a minute later. */
export async function signUpThrough(
  service: TestService,
  { apiKey }: CustomShop,
  link: string,
  lead: { customer_key: string; email?: string },
): Promise<void> {
  const click_id = await service.clickId(link);
  service.advance({ seconds: 60 });
  await service.lead({ click_id, ...lead }, { key: apiKey });
  service.advance({ seconds: 60 });
}

/** What each real sale earns by now, in the order of the payments: for whom, why it is held, and how much is left. */
export async function earningsOf(service: TestService, { id, partnerId: jane, ben }: CustomShop) {
  const rows = await service.sql<{ partner: number; hold: string | null; cents: number }>(
    `select c.partner_id as partner, c.hold_reason as hold, c.commission_cents - c.deducted_cents as cents
     from sales s left join commissions c on c.sale_id = s.id
     where s.program_id = $1 and not s.is_test order by s.created_at, s.id`,
    [id],
  );
  const names = new Map([
    [jane, 'Jane'],
    [ben.partnerId, 'Ben'],
  ]);
  return rows.map(({ partner, hold, cents }) => [names.get(partner) ?? null, cents, ...(hold ? [hold] : [])]);
}
