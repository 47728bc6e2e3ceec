import { connectStripe, deliver, newId, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

// A purchase is credited alike, whether the backend reports it to /track/sale or Stripe does.
const service = useService();

type Evidence = { click_id?: string; customer_key?: string };
type Door = (program: { id: number; apiKey: string }, evidence: Evidence) => Promise<unknown>;

const overApi: Door = ({ apiKey }, evidence) =>
  service.sale({ transaction_id: newId('order'), amount_cents: 5_000, ...evidence }, { key: apiKey });

const overStripe: Door = ({ id }, { click_id, customer_key }) => {
  const stripe = new StripeEvents('2026', service.time);
  const metadata = {
    ...(click_id && { svc_click_id: click_id }),
    ...(customer_key && { svc_customer_key: customer_key }),
  };
  return deliver(service, id, stripe.event('checkout.session.completed', stripe.session({ metadata })));
};

/** Jane brought `user-1`, who signed up. Bob's link was clicked later, on another device. */
async function twoPartners() {
  const made = await service.program();
  const program = { id: made.program.id, apiKey: made.apiKey };
  await connectStripe(service, made);
  const jane = await service.customer(made, 'user-1');
  const bob = await service.partner(made.program);
  const bobClick = await service.clickId(bob.link);
  const partnersPaid = async () => {
    const rows = await service.sql('select partner_id from commissions where program_id = $1 order by id', [
      program.id,
    ]);
    return rows.map(({ partner_id }) => (partner_id === made.partnerId ? 'Jane' : 'Bob'));
  };
  return { program, janeClick: jane, bobClick, partnersPaid };
}

type Clicks = { janeClick: string; bobClick: string };

const cases: [string, (clicks: Clicks) => Evidence, string[]][] = [
  ['the key of a customer and another partner’s click', ({ bobClick }) => both(bobClick, 'user-1'), ['Jane']],
  ['the key of a customer alone', () => ({ customer_key: 'user-1' }), ['Jane']],
  ['a click alone', ({ bobClick }) => ({ click_id: bobClick }), ['Bob']],
  ['a new key and a click', ({ bobClick }) => both(bobClick, 'user-2'), ['Bob']],
  ['a key that nobody has', () => ({ customer_key: 'user-2' }), []],
  ['a click that never happened', () => ({ click_id: 'cust_999999999_1' }), []],
  ['the key of a customer and a click that never happened', () => both('cust_999999999_1', 'user-1'), ['Jane']],
];

function both(click_id: string, customer_key: string): Evidence {
  return { click_id, customer_key };
}

describe.each([
  ['/track/sale', overApi],
  ['Stripe', overStripe],
] as const)('a purchase reported by %s', (_name, buy) => {
  it.each(cases)('with %s', async (_what, evidence, paid) => {
    const { program, partnersPaid, ...clicks } = await twoPartners();
    await buy(program, evidence(clicks));
    expect(await partnersPaid()).toEqual(paid);
  });

  it('stays with the first partner after a purchase, whatever link is clicked next', async () => {
    const { program, bobClick, partnersPaid } = await twoPartners();
    await buy(program, { customer_key: 'user-1' });
    await buy(program, both(bobClick, 'user-1'));
    expect(await partnersPaid()).toEqual(['Jane', 'Jane']);
  });
});

describe('a key on a Stripe payment without a lead', () => {
  it('is bound to the customer of the click, so that later payments find them by the key alone', async () => {
    const { program, bobClick, partnersPaid } = await twoPartners();
    await overStripe(program, both(bobClick, 'user-2'));
    await overStripe(program, { customer_key: 'user-2' });
    await overApi(program, { customer_key: 'user-2' });
    expect(await partnersPaid()).toEqual(['Bob', 'Bob', 'Bob']);
  });

  it('is not taken from the customer who holds it', async () => {
    const { program, bobClick } = await twoPartners();
    await overStripe(program, both(bobClick, 'user-1'));
    const holders = await service.sql(
      'select clicked_at, partner_id from customers where customer_key = $1 and program_id = $2',
      ['user-1', program.id],
    );
    expect(holders).toHaveLength(1);
  });
});
