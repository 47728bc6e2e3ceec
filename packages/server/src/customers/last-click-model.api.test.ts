import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findProgram } from '../programs/program-store.ts';
import { recordSale } from '../sales/record-sale.ts';

const service = useService();

const IS_LONG = Boolean(process.env.SVC_TEST_LONG);
const STORIES = IS_LONG ? 400 : 10;
const SEED = Number(process.env.SVC_TEST_SEED ?? 5_900);
const WINDOW_DAYS = 10;
const DAY_MS = 86_400_000;
const BROWSERS = ['Mozilla/5.0 Firefox/130.0', 'Mozilla/5.0 Chrome/140.0.0.0'];

/** What may happen after the first click. A payment is reported some days after it was made, perhaps after later steps. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('click' as const), partner: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('stranger' as const), partner: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constantFrom('claim', 'signup', 'sale', 'terms') }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('payment' as const), daysAgo: fc.nat(6) }) },
);
type Step = { is: string; partner?: number; daysAgo?: number };
const story = fc.array(fc.record({ step, pause: fc.nat(4) }), { minLength: 3, maxLength: 12 });

type Click = { at: number; partner: number; browser: number };

/** Whose customer a visitor is, written from the documentation alone. */
class Model {
  clicks: Click[] = [];
  versions: { since: number; last: boolean }[] = [{ since: 0, last: false }];
  claimedAt: number | null = null;
  signedUpAt: number | null = null;
  hasBought = false;
  credited: Click | null = null;
  sales: number[] = [];

  signUp(now: number): void {
    if (this.signedUpAt !== null || (this.hasBought && this.claimedAt === null)) return;
    const at = this.claimedAt ?? now;
    this.credited ??= this.choose(at);
    this.signedUpAt = at;
  }

  buy(at: number): void {
    const isLater = this.credited !== null && at >= this.credited.at;
    const click = this.credited === null ? this.choose(at) : isLater ? this.credited : this.clicks[0]!;
    const until = this.signedUpAt !== null && this.signedUpAt < at ? this.signedUpAt : at;
    if (!this.hasBought && until - click.at > WINDOW_DAYS * DAY_MS) return;
    this.credited ??= click;
    this.hasBought = true;
    this.sales.push(click.partner);
  }

  private choose(at: number): Click {
    const [first] = this.clicks;
    const until = Math.min(at, this.claimedAt ?? at);
    const before = this.clicks.filter((click) => click.at <= until);
    const isLast = this.versions.findLast(({ since }) => since <= at)!.last;
    const isProven = new Set(before.map(({ browser }) => browser)).size === 1;
    return isLast && isProven ? before.at(-1)! : first!;
  }
}

it('random clicks, signups, sales and late payments end as the model says, under changing terms', async () => {
  for (const steps of fc.sample(story, { numRuns: STORIES, seed: SEED })) {
    const made = await service.program({ attributionWindowDays: WINDOW_DAYS, leadAuth: 'server_required' });
    const others = [await service.partner(made.program), await service.partner(made.program)];
    const partners = [{ partnerId: made.partnerId, link: made.link }, ...others];
    const model = new Model();
    const begin = service.time.getTime();
    const clickId = await service.clickId(made.link, { user_agent: BROWSERS[0] });
    model.clicks.push({ at: begin, partner: 0, browser: 0 });
    for (const [index, { step: happens, pause }] of steps.entries()) {
      service.advance({ seconds: 61, days: pause });
      await perform(happens, index);
    }
    const sold = await service.sql<{ partner: number }>(
      'select partner_id as partner from sales where program_id = $1 order by id',
      [made.program.id],
    );
    const [customer] = await service.sql('select partner_id as partner from customers where id = $1', [
      Number(clickId.split('_')[1]),
    ]);
    const idOf = (partner: number) => partners[partner]!.partnerId;
    expect({ steps, sold: sold.map(({ partner }) => partner), customer }).toEqual({
      steps,
      sold: model.sales.map(idOf),
      customer: { partner: idOf((model.credited ?? model.clicks[0]!).partner) },
    });

    async function perform({ is, partner = 0, daysAgo = 0 }: Step, index: number): Promise<void> {
      const now = service.time.getTime();
      const who = { click_id: clickId, customer_key: `model-${clickId}` };
      const transactionId = `model-${clickId}-${index}`;
      switch (is) {
        case 'click':
        case 'stranger': {
          const browser = is === 'click' ? 0 : 1;
          const extra = { existing_click_id: clickId, user_agent: BROWSERS[browser] };
          expect(await service.clickId(partners[partner]!.link, extra)).toBe(clickId);
          model.clicks.push({ at: now, partner, browser });
          break;
        }
        case 'claim':
          await service.lead(who);
          if (model.signedUpAt === null && !model.hasBought) model.claimedAt ??= now;
          break;
        case 'signup':
          await service.lead(who, { key: made.apiKey });
          model.signUp(now);
          break;
        case 'sale': {
          const sale = { transaction_id: transactionId, click_id: clickId, amount_cents: 1_000 };
          expect((await service.sale(sale, { key: made.apiKey })).status).toBe(200);
          model.buy(now);
          break;
        }
        case 'payment': {
          const paidAt = Math.max(begin, now - daysAgo * DAY_MS);
          await pay(made.program.id, clickId, transactionId, new Date(paidAt));
          model.buy(paidAt);
          break;
        }
        default: {
          const last = !model.versions.at(-1)!.last;
          await publish(service, made, [], { attribution: last ? 'last' : 'first' });
          model.versions.push({ since: now, last });
        }
      }
    }
  }
}, 900_000);

async function pay(programId: number, clickId: string, transactionId: string, paidAt: Date): Promise<void> {
  const program = (await findProgram(service.ctx.db, programId))!;
  await recordSale(service.ctx, program, {
    transactionId,
    customerKey: undefined,
    clickId,
    paidAt,
    amountCents: 1_000,
    currency: 'USD',
    saleType: 'payment',
    isRecurring: false,
    isTest: false,
    source: 'processor',
    requestId: null,
  });
}
