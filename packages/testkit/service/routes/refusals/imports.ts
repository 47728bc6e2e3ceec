import { type FieldRefusals, NOT_TEXT, oneMessage } from './values.ts';

export const IMPORT_FIELDS: FieldRefusals = {
  manageImport: {
    source: () => [
      ['source must be a string', null, ...NOT_TEXT],
      ['source must be at most 32 characters', 'x'.repeat(33)],
      [
        'source must be 1 to 32 lower-case letters, digits, hyphens or underscores',
        ...['', ' ', 'Rewardful', 'a b', '-a', 'é', 'a\nb'],
      ],
    ],
    rows: oneMessage(
      'rows must be a list of 1 to 500 objects',
      ...[null, 'x', 1, true, {}, [], Array.from({ length: 501 }, () => ({}))],
    ),
    pay_approved: oneMessage('pay_approved must be true or false', 'true', 1, 0, '', [], {}),
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
};
