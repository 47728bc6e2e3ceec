import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { emptyReading, type Reading } from './reading.ts';

const reading = (parts: Partial<Reading>): Reading => ({ ...emptyReading(), ...parts });
const ann = { id: 'a1', email: 'ann@blog.test', name: 'Ann' };
const bob = { id: 'b1', email: 'bob@blog.test', name: 'Bob' };
const row = (partner: typeof ann, more: object = {}) => ({
  partner: { email: partner.email, name: partner.name, external_id: partner.id },
  links: [],
  coupons: [],
  customers: [],
  balances: [],
  ...more,
});

describe('what was read becomes rows', () => {
  it('one for each partner; those with the same email address become one, and are named', () => {
    const again = { id: 'a2', email: 'Ann@Blog.test ', name: 'Ann L.' };
    const found = assemble(
      reading({
        partners: [ann, bob, again],
        links: [
          { partnerId: 'a1', parameter: 'via', code: 'ann' },
          { partnerId: 'a2', parameter: 'via', code: 'ann-2' },
        ],
        earnings: [
          { partnerId: 'a1', id: 'c1', state: 'approved', currency: 'USD', cents: 100 },
          { partnerId: 'a2', id: 'c2', state: 'approved', currency: 'USD', cents: 23 },
        ],
      }),
      'acme.test',
    );
    expect(found.rows).toEqual([
      row(ann, {
        links: [
          { parameter: 'via', code: 'ann' },
          { parameter: 'via', code: 'ann-2' },
        ],
        balances: [{ currency: 'USD', pending_cents: 0, approved_cents: 123, paid_cents: 0 }],
      }),
      row(bob),
    ]);
    expect(found.twice).toEqual([{ email: 'ann@blog.test', ids: ['a1', 'a2'] }]);
  });

  it('a code that two partners have stays with the first one; a coupon’s case does not matter', () => {
    const found = assemble(
      reading({
        partners: [ann, bob],
        links: [
          { partnerId: 'a1', parameter: 'via', code: 'jane' },
          { partnerId: 'b1', parameter: 'via', code: 'jane' },
          { partnerId: 'b1', parameter: 'via', code: 'Jane' },
          { partnerId: 'a1', parameter: 'via', code: 'jane', address: 'https://acme.test/?via=jane' },
        ],
        coupons: [
          { partnerId: 'a1', code: 'SAVE' },
          { partnerId: 'b1', code: 'save' },
        ],
      }),
      'acme.test',
    );
    expect(found.rows.map(({ links, coupons }) => [links.map(({ code }) => code), coupons])).toEqual([
      [['jane'], ['SAVE']],
      [['Jane'], []],
    ]);
    expect(found.clashes).toEqual([
      { code: 'jane', keeps: 'ann@blog.test', loses: 'bob@blog.test' },
      { code: 'save', keeps: 'ann@blog.test', loses: 'bob@blog.test' },
    ]);
  });

  it.each([
    ['https://www.acme.test/?via=ann', undefined],
    ['http://acme.test/pricing?via=ann&plan=pro', 'https://acme.test/pricing?plan=pro'],
    ['https://docs.acme.test/?via=ann', 'https://docs.acme.test/'],
    ['https://evil.test/acme.test?via=ann', undefined],
    ['https://notacme.test/a?via=ann', undefined],
    ['javascript:alert(1)//acme.test', undefined],
    ['acme', undefined],
  ])('the link %s leads to %s', (address, destination) => {
    const links = [{ partnerId: 'a1', parameter: 'via', code: 'ann', address }];
    const { rows } = assemble(reading({ partners: [ann], links }), 'acme.test');
    const expected = destination === undefined ? {} : { destination_url: destination };
    expect(rows[0]?.links).toEqual([{ parameter: 'via', code: 'ann', ...expected }]);
  });

  it('amounts are added by currency and state; totals are those that are sent', () => {
    const earning = (
      id: string,
      partnerId: string | null,
      state: 'pending' | 'approved' | 'paid',
      currency: string,
      cents: number,
    ) => ({
      id,
      partnerId,
      state,
      currency,
      cents,
    });
    const found = assemble(
      reading({
        partners: [ann, bob],
        earnings: [
          earning('1', 'a1', 'pending', 'USD', 1),
          earning('2', 'a1', 'approved', 'USD', 20),
          earning('3', 'a1', 'paid', 'USD', 300),
          earning('4', 'a1', 'paid', 'JPY', 4000),
          earning('5', 'b1', 'pending', 'USD', 5),
          // A refund after the payment, as Tolt has it.
          earning('6', 'b1', 'approved', 'EUR', -700),
          earning('7', 'gone', 'approved', 'USD', 9),
          earning('8', null, 'approved', 'USD', 9),
        ],
      }),
      'acme.test',
    );
    expect(found.rows.map(({ balances }) => balances)).toEqual([
      [
        { currency: 'USD', pending_cents: 1, approved_cents: 20, paid_cents: 300 },
        { currency: 'JPY', pending_cents: 0, approved_cents: 0, paid_cents: 4000 },
      ],
      [{ currency: 'USD', pending_cents: 5, approved_cents: 0, paid_cents: 0 }],
    ]);
    expect(found.totals).toEqual([
      { currency: 'JPY', pending_cents: 0, approved_cents: 0, paid_cents: 4000 },
      { currency: 'USD', pending_cents: 6, approved_cents: 20, paid_cents: 300 },
    ]);
    expect(found.leftOut).toEqual([
      { kind: 'commission', id: '7', reason: 'the commission’s partner is not taken over' },
      { kind: 'commission', id: '8', reason: 'the commission has no partner' },
      {
        kind: 'commission',
        id: 'bob@blog.test',
        reason: 'more approved was taken back than earned in EUR: settle it in the other tool',
      },
    ]);
  });

  it('customers without a partner, of a partner who stays behind, and of two partners are said', () => {
    const found = assemble(
      reading({
        partners: [ann, bob],
        customers: [
          { partnerId: 'a1', id: 'u1', processorId: 'cus_1', email: 'u1@x.test', firstSeenAt: '2024-01-31T00:00:00Z' },
          { partnerId: null, id: 'u2' },
          { partnerId: 'gone', id: 'u3' },
          { partnerId: 'b1', id: 'u1' },
          { partnerId: 'a1', id: 'u1' },
          { partnerId: 'b1', id: 'u4', email: 'not an address', firstSeenAt: 'yesterday' },
        ],
      }),
      'acme.test',
    );
    expect(found.rows.map(({ customers }) => customers)).toEqual([
      [
        {
          external_id: 'u1',
          processor_customer_id: 'cus_1',
          email: 'u1@x.test',
          first_seen_at: '2024-01-31T00:00:00Z',
        },
      ],
      [{ external_id: 'u4' }],
    ]);
    expect(found.leftOut.map(({ id, reason }) => [id, reason])).toEqual([
      ['u2', 'the customer has no partner'],
      ['u3', 'the customer’s partner is not taken over'],
      ['u1', 'the customer belongs to another partner too'],
    ]);
  });

  it('what the service would refuse is left out by itself, and the partner is still sent', () => {
    const found = assemble(
      reading({
        partners: [ann, { id: 'x', email: 'no address', name: 'X' }, { id: 'y', email: ' ', name: 'Y' }],
        links: [
          { partnerId: 'a1', parameter: 'ref', code: 'john doe' },
          { partnerId: 'a1', parameter: 'ref', code: 'john' },
        ],
        coupons: [{ partnerId: 'a1', code: 'A\u200bB' }],
      }),
      'acme.test',
    );
    expect(found.rows).toEqual([row(ann, { links: [{ parameter: 'ref', code: 'john' }] })]);
    expect(found.leftOut.map(({ kind, id }) => [kind, id])).toEqual([
      ['partner', 'y'],
      ['link', 'john doe'],
      ['coupon', 'A\u200bB'],
      ['partner', 'no address'],
    ]);
  });

  it('a partner with more than a row holds gets more rows, with the amounts in the first one only', () => {
    const customers = Array.from({ length: 1001 }, (_, index) => ({ partnerId: 'a1', id: `u${index}` }));
    const earnings = [{ partnerId: 'a1', id: '1', state: 'paid' as const, currency: 'USD', cents: 5 }];
    const { rows } = assemble(reading({ partners: [ann], customers, earnings }), 'acme.test');
    expect(rows.map((each) => [each.customers.length, each.balances.length])).toEqual([
      [500, 1],
      [500, 0],
      [1, 0],
    ]);
  });
});
