import { type FieldRefusals, oneMessage, text } from './values.ts';

export const VIEW_FIELDS: FieldRefusals = {
  manageSaveView: {
    list: oneMessage(
      'list must be one of balances, commissions, coupons, customers, events, links, partners, payouts, sales',
      ...[1, 1.5, true, [], ['sales'], {}, 'Sales', 'clicks'],
    ),
    name: (field) => [...text(60, [1, 1.5, true, [], ['a'], {}])(field), ['name must not be empty', '  ']],
    query: text(1_000),
  },
};
