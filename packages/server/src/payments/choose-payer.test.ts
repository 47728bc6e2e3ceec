import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Customer } from '../customers/customer.ts';
import { type Candidate, choosePayer, MATCHES, type Match } from './choose-payer.ts';

const at = (second: number) => new Date(second * 1000);
const PAID_AT = at(1_000);

const customer = (id: number, clickedAt = at(id)) => ({ id, clickedAt, assignedAt: null }) as Customer;

/** Somebody whom the event itself names. */
const named = (id: number, evidence: Match, seenAt = PAID_AT, knownSince = seenAt): Candidate => ({
  customer: customer(id),
  evidence,
  seenAt,
  knownSince,
  isReference: false,
  isEmailFromPage: false,
  isEmailOfLead: false,
  hasClaimedSale: false,
  isClaimApproved: false,
});

/** Somebody whom the processor's id was learnt to belong to. */
const learnt = (id: number, evidence: Match, seenAt = at(500), knownSince = seenAt) => ({
  ...named(id, evidence, seenAt, knownSince),
  isReference: true,
});

describe('who paid', () => {
  it.each<[string, number, Match, Candidate[]]>([
    ['the key before an id that was learnt by a key', 2, 'key', [learnt(1, 'key'), named(2, 'key')]],
    ['an id that was learnt by a key before a click', 1, 'reference', [named(2, 'click'), learnt(1, 'key')]],
    [
      'an id that was learnt by an earlier click before a click',
      2,
      'reference',
      [named(1, 'click'), learnt(2, 'click')],
    ],
    [
      'a click before an id that was learnt by a later click',
      2,
      'click',
      [learnt(1, 'click', at(2_000)), named(2, 'click')],
    ],
    ['a client reference as a click', 2, 'reference', [named(1, 'click'), learnt(2, 'client_reference')]],
    ['a click before an id that was learnt by an e-mail', 2, 'click', [learnt(1, 'email'), named(2, 'click')]],
    ['a click before an id that was learnt by a coupon', 2, 'click', [learnt(1, 'coupon'), named(2, 'click')]],
    ['an id that was learnt by an e-mail before a later click', 1, 'email', [learnt(1, 'email'), named(600, 'click')]],
    ['an id that was learnt by a coupon before a later click', 1, 'coupon', [learnt(1, 'coupon'), named(600, 'click')]],
    [
      'a click within the difference of clocks before an id that was learnt by an e-mail',
      560,
      'click',
      [learnt(1, 'email'), named(560, 'click')],
    ],
    [
      'a click before one that came after something was known, though the other’s payment was earlier',
      1,
      'reference',
      [learnt(1, 'click', at(900), at(500)), named(600, 'click', at(700))],
    ],
    ['an id that was learnt by an e-mail as an e-mail', 1, 'email', [learnt(1, 'email')]],
    ['an e-mail before a claim', 2, 'email', [named(1, 'claim'), learnt(2, 'email')]],
    ['of two clicks in a second, the older customer', 1, 'click', [named(2, 'click'), named(1, 'click')]],
    ['a click before the payment, not a key after it', 1, 'email', [named(1, 'email'), named(1_200, 'key')]],
    ['a click after the payment if there is nobody else', 1_200, 'key', [named(1_200, 'key')]],
  ])('%s', (_rule, id, matchedBy, candidates) => {
    expect(choosePayer(candidates, PAID_AT)).toMatchObject({ customer: { id }, matchedBy });
    expect(choosePayer(candidates.toReversed(), PAID_AT)).toMatchObject({ customer: { id }, matchedBy });
  });

  it('does not depend on the order of the evidence', () => {
    const candidates = fc.array(
      fc.record({
        id: fc.nat(2_000),
        evidence: fc.constantFrom(...MATCHES),
        second: fc.nat(3),
        isReference: fc.boolean(),
      }),
      { maxLength: 6 },
    );
    const orders = candidates.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    fc.assert(
      fc.property(orders, ([some, shuffled]) => {
        const choose = (list: typeof some) =>
          choosePayer(
            list.map(({ id, evidence, second, isReference }) => ({ ...named(id, evidence, at(second)), isReference })),
            PAID_AT,
          )?.customer.id;
        expect(choose(shuffled)).toBe(choose(some));
      }),
    );
  });
});
