import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChargeFact, DeductionFact } from './processor-fact.ts';
import { refundedTotalCents } from './refunded-total.ts';

const SALE = { amountCents: 10_000, currency: 'USD' };
const at = (second: number) => new Date(second * 1000);

type Charge = Omit<ChargeFact, 'kind'>;

const charge = (parts: Partial<Charge> = {}): Charge => ({
  chargeId: 'ch_1',
  paymentIntent: 'pi_1',
  invoice: null,
  amountCents: 10_000,
  refundedCents: 0,
  currency: 'USD',
  asOf: at(100),
  ...parts,
});

const deduction = (parts: Partial<DeductionFact> = {}): DeductionFact => ({
  kind: 'refund',
  id: 're_1',
  chargeId: 'ch_1',
  paymentIntent: 'pi_1',
  amountCents: 1_000,
  currency: 'USD',
  state: 'settled',
  madeAt: at(50),
  stateAt: at(60),
  ...parts,
});

const undone = (parts: Partial<DeductionFact> = {}) => deduction({ state: 'undone', ...parts });
const dispute = (parts: Partial<DeductionFact> = {}) => deduction({ kind: 'dispute', id: 'dp_1', ...parts });

describe('what is taken back of a sale', () => {
  it.each<[string, number, Charge[], DeductionFact[]]>([
    ['nothing is known', 0, [], []],
    ['a charge of which nothing was refunded', 0, [charge()], []],
    ['the charge’s own total', 2_500, [charge({ refundedCents: 2_500 })], []],
    ['a refund alone', 1_000, [], [deduction()]],
    ['a refund that is pending', 1_000, [], [deduction({ state: 'standing' })]],
    ['a refund that failed', 0, [], [undone()]],
    ['a refund and a charge that counts it: the same money', 1_000, [charge({ refundedCents: 1_000 })], [deduction()]],
    ['a charge that knows of more refunds', 3_000, [charge({ refundedCents: 3_000 })], [deduction()]],
    [
      'refunds that a charge does not know of yet',
      1_700,
      [charge({ refundedCents: 1_000 })],
      [deduction(), deduction({ id: 're_2', amountCents: 700 })],
    ],
    [
      'a refund that failed after the charge was told',
      0,
      [charge({ refundedCents: 1_000 })],
      [undone({ stateAt: at(101) })],
    ],
    [
      'a refund that had failed before the charge was told: it is not in its total',
      2_000,
      [charge({ refundedCents: 2_000 })],
      [undone({ stateAt: at(99) })],
    ],
    [
      'a refund made after the charge was told, and failed: it never was in its total',
      2_000,
      [charge({ refundedCents: 2_000 })],
      [undone({ madeAt: at(150), stateAt: at(160) })],
    ],
    [
      'one of two refunds fails later',
      600,
      [charge({ refundedCents: 1_600 })],
      [undone({ stateAt: at(200) }), deduction({ id: 're_2', amountCents: 600 })],
    ],
    ['a dispute', 10_000, [], [dispute({ amountCents: 10_000, state: 'standing' })]],
    ['a dispute that is lost', 10_000, [], [dispute({ amountCents: 10_000 })]],
    ['a dispute that is won', 0, [], [dispute({ amountCents: 10_000, state: 'undone' })]],
    ['a dispute beside a refund: both', 5_000, [charge({ refundedCents: 1_000 })], [dispute({ amountCents: 4_000 })]],
    [
      'a dispute of all after a refund: no more than the sale',
      10_000,
      [],
      [deduction(), dispute({ amountCents: 10_000 })],
    ],
    [
      'two charges of one payment',
      3_000,
      [charge({ refundedCents: 1_000 }), charge({ chargeId: 'ch_2', refundedCents: 2_000 })],
      [],
    ],
    [
      'a refund that names only the payment intent belongs to its charge',
      1_000,
      [charge({ refundedCents: 1_000 })],
      [deduction({ chargeId: null })],
    ],
    [
      'what was charged in another currency counts as its share of the charge',
      5_000,
      [charge({ amountCents: 9_200, currency: 'EUR', refundedCents: 4_600 })],
      [],
    ],
    [
      'a refund in another currency likewise',
      2_500,
      [charge({ amountCents: 9_200, currency: 'EUR' })],
      [deduction({ amountCents: 2_300, currency: 'EUR' })],
    ],
    ['a refund in another currency of a charge that is not known yet', 0, [], [deduction({ currency: 'EUR' })]],
  ])('%s: %i', (_what, cents, charges, deductions) => {
    expect(refundedTotalCents(SALE, charges, deductions)).toBe(cents);
  });
});

describe('for any charges, refunds and disputes', () => {
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
      currency,
      state: fc.constantFrom('standing', 'settled', 'undone'),
      madeAt: second,
      stateAt: second,
    }),
    { selector: ({ id }) => id },
  );

  it('it is never above the sale and never below nothing', () => {
    fc.assert(
      fc.property(fc.nat(30_000), charges, deductions, (amountCents, known, taken) => {
        const cents = refundedTotalCents({ amountCents, currency: 'USD' }, known, taken);
        expect(Number.isSafeInteger(cents)).toBe(true);
        expect(cents).toBeGreaterThanOrEqual(0);
        expect(cents).toBeLessThanOrEqual(amountCents);
      }),
    );
  });

  it('it is the same in whatever order they are told', () => {
    const orders = fc.tuple(charges, deductions).chain(([known, taken]) =>
      fc.record({
        known: fc.constant(known),
        taken: fc.constant(taken),
        knownAnyhow: fc.shuffledSubarray(known, { minLength: known.length }),
        takenAnyhow: fc.shuffledSubarray(taken, { minLength: taken.length }),
      }),
    );
    fc.assert(
      fc.property(orders, ({ known, taken, knownAnyhow, takenAnyhow }) => {
        expect(refundedTotalCents(SALE, knownAnyhow, takenAnyhow)).toBe(refundedTotalCents(SALE, known, taken));
      }),
    );
  });

  it('one that comes undone never takes more', () => {
    fc.assert(
      fc.property(charges, deductions, fc.nat(4), (known, taken, index) => {
        const after = taken.map((each, place) =>
          place === index ? { ...each, state: 'undone' as const, stateAt: at(300) } : each,
        );
        expect(refundedTotalCents(SALE, known, after)).toBeLessThanOrEqual(refundedTotalCents(SALE, known, taken));
      }),
    );
  });
});
