import {
  count,
  currency,
  type FieldRefusals,
  identifier,
  oneMessage,
  type Refusals,
  seenTotals,
  selection,
  text,
} from './values.ts';

const partnerIdsOf = (field: string): Refusals => [
  [
    `${field} must be a list of at most 5000 partner ids`,
    ...['x', 1, true, {}, ['1'], [0], [-1], [1.5], [null], Array.from({ length: 5_001 }, (_, index) => index + 1)],
  ],
];

export const PAYOUT_FIELDS: FieldRefusals = {
  manageMakePayouts: {
    partner_id: oneMessage('partner_id must be a whole number', '1', 0, -1, 1.5, true, [], {}, 1e300),
    currency,
    with_payout_method: oneMessage('with_payout_method must be true or false', 'true', 1, 0, '', [], {}),
    include_inactive: oneMessage('include_inactive must be true or false', 'true', 1, 0, '', [], {}),
    count,
    totals: seenTotals,
  },
  manageMakePayoutRun: {
    cutoff_at: oneMessage('cutoff_at must be a date or an ISO 8601 time', '', 'yesterday', 1, true, [], {}),
    currency,
    partner_ids: partnerIdsOf,
    excluded_partner_ids: partnerIdsOf,
    exclusion_notes: () => [
      ['exclusion_notes must be an object with texts by partner id', 'x', 1, true, [], { a: 'b' }, { 0: 'b' }],
      ['exclusion_notes must be a string', { 1: 1 }, { 1: null }],
      ['exclusion_notes must be at most 500 characters', { 1: 'x'.repeat(501) }],
    ],
  },
  manageSavePayoutSettings: {
    minimum_cents: () => [
      [
        'minimum_cents must be an object with whole numbers of cents, 0 or more, by currency',
        ...['x', 1, true, [], { USD: -1 }, { USD: 1.5 }, { USD: '1' }],
      ],
      ['minimum_cents must be by ISO 4217 codes', { XYZ: 1 }, { usd: 1 }],
    ],
    schedule: oneMessage(
      'schedule must be null, or an object with a day from 1 to 28',
      ...['x', 1, true, [], {}, { day: 0 }, { day: 29 }, { day: '1' }, { day: 1.5 }],
    ),
    net_days: oneMessage('net_days must be a whole number from 0 to 90', '1', -1, 91, 1.5, true, [], {}),
    two_persons: oneMessage('two_persons must be true or false', 'true', 1, 0, '', [], {}),
    payer: () => [
      ['payer must be null, or an object with a name', 'x', 1, true],
      ['payer.name must be a string', {}, { name: 1 }],
      ['payer.name is required', { name: ' ' }],
      ['payer.name must be at most 70 characters', { name: 'x'.repeat(71) }],
      [
        'payer.iban does not pass its check digits. Compare it with your bank statement.',
        { name: 'Acme', iban: 'DE88370400440532013000' },
      ],
      ['payer.bic must have 8 or 11 letters and digits, such as COBADEFFXXX', { name: 'Acme', bic: 'X' }],
      ['payer.paypal_decimal must be . or ,', { name: 'Acme', paypal_decimal: ';' }],
      ['payer.ach must be an object', { name: 'Acme', ach: 1 }],
      [
        'payer.ach.odfi_routing does not pass its check digit. Compare it with a check or your bank statement.',
        {
          name: 'Acme',
          ach: { company_id: '1', company_name: 'Acme', odfi_routing: '021000022', destination_name: 'Bank' },
        },
      ],
    ],
  },
  manageSettlePayoutRun: {
    payouts: () => [['Send either payouts or all', []]],
    all: oneMessage('all must be paid', 'failed', 1, true, [], {}, ''),
    reference: identifier,
  },
  manageMarkFailed: {
    reason: (field) => [['reason is required', null, '', '   ', 0, false], ...text(500, [1, true, [], {}])(field)],
  },
  manageMarkPaid: { reference: identifier },
  manageMarkPayoutsPaid: { ...selection, reference: identifier },
};
