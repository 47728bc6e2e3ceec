import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChargeFact, DeductionFact } from './processor-fact.ts';
import { refundedTotal, splitCents } from './refunded-total.ts';

const SALE = { transactionId: 'pi_1', amountCents: 10_000, taxCents: null, currency: 'USD' };
const refundedTotalCents = (sale: typeof SALE, charges: Charge[], deductions: DeductionFact[]) =>
  refundedTotal(sale, charges, deductions, []).cents;
const at = (second: number) => new Date(second * 1000);

type Charge = Omit<ChargeFact, 'kind'>;

const charge = (parts: Partial<Charge> = {}): Charge => ({
  chargeId: 'ch_1',
  paymentIntent: 'pi_1',
  invoice: null,
  amountCents: 10_000,
  refundedCents: 0,
  uncapturedCents: 0,
  currency: 'USD',
  asOf: at(100),
  ...parts,
});

/** The total of the sale itself, as processors report it whose orders have other ids too. */
const whole = (refundedCents: number) => charge({ chargeId: SALE.transactionId, paymentIntent: null, refundedCents });

const deduction = (parts: Partial<DeductionFact> = {}): DeductionFact => ({
  kind: 'refund',
  id: 're_1',
  chargeId: 'ch_1',
  paymentIntent: 'pi_1',
  amountCents: 1_000,
  taxCents: null,
  currency: 'USD',
  state: 'settled',
  madeAt: at(50),
  stateAt: at(60),
  ...parts,
});

const undone = (parts: Partial<DeductionFact> = {}) => deduction({ state: 'undone', ...parts });
const dispute = (parts: Partial<DeductionFact> = {}) => deduction({ kind: 'dispute', id: 'dp_1', ...parts });

describe('the refunded total of a sale', () => {
  it.each<[string, number, Charge[], DeductionFact[]]>([
    ['nothing', 0, [], []],
    ['a charge without refunds', 0, [charge()], []],
    ['the charge’s own total', 2_500, [charge({ refundedCents: 2_500 })], []],
    ['a refund alone', 1_000, [], [deduction()]],
    ['a pending refund', 1_000, [], [deduction({ state: 'standing' })]],
    ['a failed refund', 0, [], [undone()]],
    ['a dispute that was given back', 0, [], [dispute(), dispute({ id: 'dp_2', amountCents: -1_000 })]],
    ['a dispute, half of it given back', 500, [], [dispute(), dispute({ id: 'dp_2', amountCents: -500 })]],
    [
      'a refund, and a dispute of which only the return is known',
      1_000,
      [],
      [deduction(), dispute({ amountCents: -1_000 })],
    ],
    ['the sale’s own total alone', 700, [whole(700)], []],
    [
      'the sale’s own total, and a charge that reports the same',
      1_000,
      [whole(1_000), charge({ refundedCents: 1_000 })],
      [],
    ],
    [
      'the sale’s own total, and a charge that reports more',
      1_500,
      [whole(1_000), charge({ refundedCents: 1_500 })],
      [],
    ],
    [
      'the sale’s own total, and two charges that come to less',
      1_000,
      [whole(1_000), charge({ refundedCents: 300 }), charge({ chargeId: 'ch_2', refundedCents: 400 })],
      [],
    ],
    ['a refund and a charge that includes it', 1_000, [charge({ refundedCents: 1_000 })], [deduction()]],
    ['a charge that includes more refunds', 3_000, [charge({ refundedCents: 3_000 })], [deduction()]],
    [
      'refunds that the charge does not include yet',
      1_700,
      [charge({ refundedCents: 1_000 })],
      [deduction(), deduction({ id: 're_2', amountCents: 700 })],
    ],
    [
      'a refund that failed after the charge was reported',
      0,
      [charge({ refundedCents: 1_000 })],
      [undone({ stateAt: at(101) })],
    ],
    [
      'a refund that failed before the charge was reported',
      2_000,
      [charge({ refundedCents: 2_000 })],
      [undone({ stateAt: at(99) })],
    ],
    [
      'a refund that was created and failed after the charge was reported',
      2_000,
      [charge({ refundedCents: 2_000 })],
      [undone({ madeAt: at(150), stateAt: at(160) })],
    ],
    [
      'two refunds, one of which fails later',
      600,
      [charge({ refundedCents: 1_600 })],
      [undone({ stateAt: at(200) }), deduction({ id: 're_2', amountCents: 600 })],
    ],
    ['a dispute', 10_000, [], [dispute({ amountCents: 10_000, state: 'standing' })]],
    ['a lost dispute', 10_000, [], [dispute({ amountCents: 10_000 })]],
    ['a won dispute', 0, [], [dispute({ amountCents: 10_000, state: 'undone' })]],
    ['a dispute and a refund', 5_000, [charge({ refundedCents: 1_000 })], [dispute({ amountCents: 4_000 })]],
    ['a full dispute after a refund', 10_000, [], [deduction(), dispute({ amountCents: 10_000 })]],
    [
      'two charges of the same payment',
      3_000,
      [charge({ refundedCents: 1_000 }), charge({ chargeId: 'ch_2', refundedCents: 2_000 })],
      [],
    ],
    [
      'a refund that names only the payment intent',
      1_000,
      [charge({ refundedCents: 1_000 })],
      [deduction({ chargeId: null })],
    ],
    [
      'a charge in another currency, by its refunded share',
      5_000,
      [charge({ amountCents: 9_200, currency: 'EUR', refundedCents: 4_600 })],
      [],
    ],
    [
      'a refund in another currency, by its share of the charge',
      2_500,
      [charge({ amountCents: 9_200, currency: 'EUR' })],
      [deduction({ amountCents: 2_300, currency: 'EUR' })],
    ],
    // Stripe's older versions make a refund of what was authorized and never captured.
    ['the rest of a partial capture', 0, [charge({ uncapturedCents: 1_000 })], [deduction()]],
    [
      'the rest of a partial capture and a refund',
      700,
      [charge({ uncapturedCents: 1_000 })],
      [deduction(), deduction({ id: 're_2', amountCents: 700 })],
    ],
    [
      'the rest of a partial capture and a refund that only the charge knows',
      700,
      [charge({ uncapturedCents: 1_000, refundedCents: 700 })],
      [deduction()],
    ],
    ['a refund in another currency of an unknown charge', 0, [], [deduction({ currency: 'EUR' })]],
  ])('after %s: %i', (_case, cents, charges, deductions) => {
    expect(refundedTotalCents(SALE, charges, deductions)).toBe(cents);
  });
});

describe('the refunded total of any charges, refunds and disputes', () => {
  const second = fc.integer({ min: 0, max: 200 }).map(at);
  const chargeIds = ['ch_1', 'ch_2', 'ch_3'];
  const currency = fc.constantFrom('USD', 'EUR');
  const charges = fc.uniqueArray(
    fc.record<Charge>({
      chargeId: fc.constantFrom(...chargeIds),
      paymentIntent: fc.constantFrom('pi_1', 'pi_2', null),
      invoice: fc.constant(null),
      amountCents: fc.nat(20_000),
      refundedCents: fc.nat(20_000),
      uncapturedCents: fc.nat(5_000),
      currency,
      asOf: second,
    }),
    { selector: ({ chargeId }) => chargeId },
  );
  const deductions = fc.uniqueArray(
    fc.record<DeductionFact>({
      kind: fc.constantFrom('refund', 'dispute'),
      id: fc.constantFrom(...['a', 'b', 'c', 'd', 'e']),
      chargeId: fc.constantFrom(...chargeIds, null),
      paymentIntent: fc.constantFrom('pi_1', 'pi_2', null),
      amountCents: fc.nat(20_000),
      taxCents: fc.option(fc.nat(5_000)),
      currency,
      state: fc.constantFrom('standing', 'settled', 'undone'),
      madeAt: second,
      stateAt: second,
    }),
    { selector: ({ id }) => id },
  );

  it('never exceeds the sale and is never negative', () => {
    fc.assert(
      fc.property(fc.nat(30_000), charges, deductions, (amountCents, someCharges, someDeductions) => {
        const cents = refundedTotalCents({ ...SALE, amountCents }, someCharges, someDeductions);
        expect(Number.isSafeInteger(cents)).toBe(true);
        expect(cents).toBeGreaterThanOrEqual(0);
        expect(cents).toBeLessThanOrEqual(amountCents);
      }),
    );
  });

  it('does not depend on their order', () => {
    const orders = fc.tuple(charges, deductions).chain(([someCharges, someDeductions]) =>
      fc.record({
        someCharges: fc.constant(someCharges),
        someDeductions: fc.constant(someDeductions),
        shuffledCharges: fc.shuffledSubarray(someCharges, { minLength: someCharges.length }),
        shuffledDeductions: fc.shuffledSubarray(someDeductions, { minLength: someDeductions.length }),
      }),
    );
    fc.assert(
      fc.property(orders, ({ someCharges, someDeductions, shuffledCharges, shuffledDeductions }) => {
        expect(refundedTotalCents(SALE, shuffledCharges, shuffledDeductions)).toBe(
          refundedTotalCents(SALE, someCharges, someDeductions),
        );
      }),
    );
  });

  it('never grows when one of them is undone', () => {
    fc.assert(
      fc.property(charges, deductions, fc.nat(4), (someCharges, before, undoneIndex) => {
        const after = before.map((entry, index) =>
          index === undoneIndex ? { ...entry, state: 'undone' as const, stateAt: at(300) } : entry,
        );
        expect(refundedTotalCents(SALE, someCharges, after)).toBeLessThanOrEqual(
          refundedTotalCents(SALE, someCharges, before),
        );
      }),
    );
  });
});

describe('the refunded total of a payment for several invoices', () => {
  const shares = (...cents: number[]) =>
    cents.map((amountCents, index) => ({ reference: 'pi_1', transactionId: `in_${index}`, amountCents }));
  const totals = (cents: number[], charges: Charge[], deductions: DeductionFact[], currency = 'USD') =>
    cents.map((amountCents, index) =>
      refundedTotal(
        { ...SALE, transactionId: `in_${index}`, amountCents, currency },
        charges,
        deductions,
        shares(...cents),
      ),
    );
  const whole = (cents: number[]) => cents.reduce((sum, part) => sum + part, 0);

  it('is shared in proportion, exact to the cent, never more than was paid of an invoice', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(amounts, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (cents, part, isDisputed) => {
        const refunded = Math.floor(whole(cents) * part);
        const rest = whole(cents) - refunded;
        const disputes = isDisputed && rest > 0 ? [dispute({ amountCents: rest })] : [];
        const results = totals(cents, [charge({ amountCents: whole(cents), refundedCents: refunded })], disputes);
        expect(whole(results.map((result) => result.cents))).toBe(isDisputed ? whole(cents) : refunded);
        for (const [index, result] of results.entries()) {
          const exact = ((isDisputed ? whole(cents) : refunded) * cents[index]!) / whole(cents);
          expect(Math.abs(result.cents - exact)).toBeLessThan(1);
          expect(result.disputedCents).toBeLessThanOrEqual(result.cents);
        }
      }),
    );
  });

  it('in another currency is the same share of each', () => {
    const yen = charge({ currency: 'JPY', amountCents: 600, refundedCents: 300 });
    expect(totals([3_000, 1_000], [yen], []).map(({ cents }) => cents)).toEqual([1_500, 500]);
  });

  it('gives the cents that are left over to the largest remainders, and of equal ones to the first', () => {
    expect(splitCents(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitCents(1, [1, 2])).toEqual([0, 1]);
    expect(splitCents(5, [0, 0])).toEqual([5, 0]);
  });
});

describe('the disputed part of a total', () => {
  it.each<[string, number, number, Charge[], DeductionFact[]]>([
    ['no dispute', 1_000, 0, [], [deduction()]],
    ['a dispute', 1_000, 1_000, [], [dispute()]],
    ['a refund and a dispute', 2_000, 1_000, [], [deduction(), dispute()]],
    ['a dispute that was won', 1_000, 0, [], [deduction(), dispute({ state: 'undone' })]],
    ['more than the sale', 10_000, 9_500, [], [deduction(), dispute({ amountCents: 9_500 })]],
    ['an unknown currency', 10_000, 10_000, [], [dispute({ currency: 'EUR' })]],
    ['a known currency', 1_000, 1_000, [charge({ currency: 'EUR' })], [dispute({ currency: 'EUR' })]],
  ])('of %s', (_name, cents, disputedCents, charges, deductions) => {
    expect(refundedTotal(SALE, charges, deductions, [])).toEqual({ cents, disputedCents, taxOnlyCents: 0 });
  });
});

describe('the tax in a total, beyond its share', () => {
  // Net 5,000, and 950 of tax.
  const sale = { ...SALE, amountCents: 5_950, taxCents: 950 };
  const taxOnly = (...deductions: DeductionFact[]) => refundedTotal(sale, [], deductions, []).taxOnlyCents;

  it.each<[string, number, DeductionFact[]]>([
    ['nothing', 0, []],
    ['tax alone', 950, [deduction({ amountCents: 950, taxCents: 950 })]],
    ['its share', 0, [deduction({ amountCents: 1_190, taxCents: 190 })]],
    ['tax that is not named', 0, [deduction({ amountCents: 950 })]],
    // 1,000 of the net amount are a fifth of it, which is 1,190 of the whole.
    ['no tax', -190, [deduction({ amountCents: 1_000, taxCents: 0 })]],
    ['a refund that failed', 0, [undone({ amountCents: 950, taxCents: 950 })]],
    [
      'everything',
      0,
      [deduction({ amountCents: 950, taxCents: 950 }), deduction({ id: 're_2', amountCents: 5_000, taxCents: 0 })],
    ],
  ])('of %s', (_name, cents, deductions) => {
    expect(taxOnly(...deductions)).toBe(cents);
  });
});
