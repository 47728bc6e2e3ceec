import { type FieldRefusals, NOT_TEXT, oneMessage, requiredPartner, requiredText, selection, text } from './values.ts';

const ids = oneMessage(
  'ids must be a list of 1 to 200 commission ids',
  ...[null, '1', 1, true, {}, [], [0], [-1], [1.5], ['1'], [null], [[1]], [1e300]],
  Array.from({ length: 201 }, (_, id) => id + 1),
);

export const COMMISSION_FIELDS: FieldRefusals = {
  manageApproveMany: { ids },
  manageReject: { reason: text(500) },
  manageRejectMany: { ids, reason: text(500) },
  manageReviewCommissions: {
    action: oneMessage('action must be one of approve, reject, restore', ...NOT_TEXT, '', 'Approve', 'pay'),
    ...selection,
    reason: text(500),
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageAssignCustomer: {
    partner_id: requiredPartner,
    reason: requiredText(500, 'reason is required'),
  },
  manageEraseCustomer: { reason: text(500) },
};
