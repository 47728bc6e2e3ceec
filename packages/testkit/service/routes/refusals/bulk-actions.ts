import {
  chosen,
  count,
  type FieldRefusals,
  identifier,
  invitees,
  NOT_INTEGERS,
  NOT_TEXT,
  oneMessage,
  seenTotals,
  text,
} from './values.ts';

export const BULK_ACTION_FIELDS: FieldRefusals = {
  manageStartReview: {
    action: oneMessage('action must be one of approve, reject, restore', ...NOT_TEXT, '', 'Approve', 'pay'),
    ...chosen,
    reason: text(500),
  },
  manageStartMarkingPaid: {
    ...chosen,
    totals: oneMessage(
      'totals must be a list of sums with currency and amount_cents',
      ...['x', 1, true, {}, [1], [{ currency: 'USD' }], [{ currency: 'USD', amount_cents: '1' }]],
      Array.from({ length: 201 }, () => ({ currency: 'USD', amount_cents: 1 })),
    ),
    reference: identifier,
  },
  manageStartInviting: { partners: invitees },
  manageStartResending: chosen,
  manageStartLinkChange: {
    active: oneMessage('active must be true or false', 'true', 1, 0, '', [], {}),
    deleted: oneMessage('Send either active or deleted', true),
    ...chosen,
  },
  manageStartCouponChange: {
    active: oneMessage('active must be true or false', null, 'true', 1, 0, '', [], {}),
    ...chosen,
  },
  manageStartPayouts: {
    with_payout_method: oneMessage('with_payout_method must be true or false', 'true', 1, 0, '', [], {}),
    include_inactive: oneMessage('include_inactive must be true or false', 'true', 1, 0, '', [], {}),
    count,
    totals: seenTotals,
  },
  manageStartPartnerChange: {
    status: oneMessage('status must be active, blocked, removed', ...NOT_TEXT, null, '', 'gone'),
    group_id: oneMessage('group_id must be a whole number or null', ...NOT_INTEGERS, 0, -1),
    from_status: oneMessage('from_status must be applied, active, blocked, removed', ...NOT_TEXT, '', 'gone'),
    ...chosen,
  },
};
