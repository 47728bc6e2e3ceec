import { OPTIONAL_MAIL_KINDS } from '@svc/contract';
import { email, type FieldRefusals, NOT_TEXT, name, oneMessage, text, token } from './values.ts';

export const ACCOUNT_FIELDS: FieldRefusals = {
  manageUpdateMe: {
    name: (field) => [['name must not be empty', '', '   '], ...name(field)],
  },
  manageSetPayoutMethod: {
    kind: oneMessage('kind must be one of paypal, wise, iban, us_bank, other', null, ...NOT_TEXT, '', 'IBAN', 'venmo'),
    email: (field) => [
      ...text(254)(field),
      ['email must be an email address', 'jane', 'jane@', '@paypal.test', 'jane@paypal', 'ja ne@paypal.test'],
      ['email does not belong to iban', 'jane@paypal.test'],
    ],
    iban: (field) => [
      ['iban is required', null, ''],
      ...text(64)(field),
      ['iban does not pass its check digits. Compare it with your bank statement.', 'DE88370400440532013000'],
      [
        'iban has 21 characters, and an IBAN that begins with DE has 22',
        'DE8937040044053201300',
        'de89 3704 0044 0532 0130 0',
      ],
      [
        'iban must begin with the code of a country that has IBANs, such as DE or FR',
        'US89370400440532013000',
        '370400440532013000',
      ],
    ],
    bic: (field) => [
      ...text(32)(field),
      ['bic must have 8 or 11 letters and digits, such as COBADEFFXXX', 'COBADEF', 'COBA DE FF XXXX', '1OBADEFF'],
    ],
    routing_number: (field) => [
      ...text(32)(field),
      ['routing_number must have 9 digits', '12345678', '1234567890', 'O21000021'],
      [
        'routing_number does not pass its check digit. Compare it with a check or your bank statement.',
        '021000022',
        '000000000',
      ],
      ['routing_number does not belong to iban', '021000021'],
    ],
    account_number: (field) => [
      ...text(64)(field),
      ['account_number must have 4 to 17 digits and nothing else', '123', '123456789012345678', '12A4'],
      ['account_number does not belong to iban', '123456789'],
    ],
    account_type: (field) => [
      ['account_type must be one of checking, savings', ...NOT_TEXT, '', 'Checking'],
      [`${field} does not belong to iban`, 'checking'],
    ],
    text: (field) => [...text(500)(field), ['text is required', '', '   '], ['text does not belong to iban', 'Ask me']],
    holder_name: (field) => [
      ['holder_name is required', null, '', '   '],
      ...text(140)(field),
      ['holder_name must be one line without control characters', 'Jane\nDoe', 'Jane\u202eDoe'],
    ],
    holder_kind: (field) => [
      [`${field} is required`, null, ''],
      ['holder_kind must be one of person, company', ...NOT_TEXT, 'Person'],
    ],
    country: (field) => [
      [`${field} is required`, null, ''],
      ['country must be a two-letter country code, such as DE', ...NOT_TEXT, 'D', 'DEU', 'ZZ', 'EU', 'Germany'],
    ],
  },
  manageUpdateMailSettings: {
    kind: oneMessage(
      `kind must be one of ${OPTIONAL_MAIL_KINDS.join(', ')}`,
      ...NOT_TEXT,
      '',
      'reset_password',
      'payout_paid',
      'statement_ready ',
    ),
    on: oneMessage('on must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageChangeEmail: { email },
  manageConfirmEmail: { token },
  manageAddToken: {
    name: (field) => [...name(field), ['name must not be empty', '  ']],
    scopes: oneMessage(
      'scopes must be a list of one or more of read, write, track',
      ...[null, 'read', 1, true, {}, [], ['admin'], [1], ['read', 'read', 'read', 'read']],
    ),
    expires_in_days: oneMessage(
      'expires_in_days must be a whole number from 0 to 365',
      ...['90', -1, 1.5, 366, true, [], {}],
    ),
  },
};
