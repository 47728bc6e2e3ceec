import {
  email,
  type FieldRefusals,
  identifier,
  invitees,
  NOT_INTEGERS,
  NOT_TEXT,
  oneMessage,
  openLink,
  READ_BY_OTHERS,
  type Refusals,
  requiredPartner,
  requiredText,
  text,
} from './values.ts';

const EXTERNAL_ID = 'external_id must be 1 to 255 characters without spaces, and neither . nor ..';
const newPartner = {
  name: (field: string): Refusals => [
    ['name and email are required', null, '', 0, false],
    ...text(255, [1, true, [], {}])(field),
    ...READ_BY_OTHERS,
  ],
  email: (field: string): Refusals => [
    ['name and email are required', null, '', 0, false],
    ...text(1024, [1, true, [], {}])(field),
    ['email must be an email address', 'nobody', 'a@', '@b', 'a b@c.test', 'a@b@c'],
  ],
  open_link: openLink,
};

export const PARTNER_FIELDS: FieldRefusals = {
  manageInvitePartners: {
    partners: invitees,
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageAddPartner: {
    ...newPartner,
    external_id: oneMessage(EXTERNAL_ID, ...NOT_TEXT, '', ' ', 'user 42', '.', '..', 'a'.repeat(256), 'a\u0000'),
  },
  manageUpsertPartner: newPartner,
  manageInvitePartner: {
    email,
    open_link: openLink,
    replace_account: oneMessage('replace_account must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageUpdatePartner: {
    status: oneMessage('status must be active, blocked, removed', ...NOT_TEXT, null, '', 'gone'),
    group_id: oneMessage('group_id must be a whole number or null', ...NOT_INTEGERS, 0, -1),
    recruiter_id: oneMessage('recruiter_id must be a whole number or null', ...NOT_INTEGERS, 0, -1),
    external_id: oneMessage(EXTERNAL_ID, ...NOT_TEXT, '', ' ', 'user 42', '.', '..', 'a'.repeat(256), 'a\u0000'),
    name: (field) => [['name is required', ''], ...text(255, NOT_TEXT)(field), ...READ_BY_OTHERS],
  },
  manageAddPartnerNote: {
    text: requiredText(2_000, 'text must not be empty'),
  },
  manageAddAdjustment: {
    partner_id: requiredPartner,
    amount_cents: oneMessage(
      'amount_cents must be a whole number of cents, not 0',
      ...[null, '1', 1.5, 0, true, [], {}, 1e300, Number.MAX_SAFE_INTEGER + 1],
    ),
    currency: oneMessage('currency must be an ISO 4217 code', null, ...NOT_TEXT, '', 'US', 'XYZ', 'USD '),
    reason: requiredText(500, 'reason is required'),
    kind: oneMessage('kind must be one of bonus, adjustment', ...NOT_TEXT, '', 'Bonus', 'sale'),
  },
  manageLiftPayoutWait: {
    reason: (field) => [['reason is required', null, '', '   ', 0, false], ...text(500, [1, 1.5, true, [], {}])(field)],
    usable_from: identifier,
  },
};
