import {
  type FieldRefusals,
  identifier,
  oneMessage,
  type Refusals,
  requiredPartner,
  requiredText,
  text,
} from './values.ts';

const destination = (field: string): Refusals => [
  ...text(2048)(field).filter(([message]) => !message.includes('cannot be stored')),
  [
    'destination_url must be a web address, without a user name, a password, backslashes or control characters',
    '',
    'acme.test',
    'ftp://acme.test',
    'javascript:alert(1)',
    'https://',
    'https://user:secret@acme.test',
    'https:\\\\acme.test',
    'https://acme.test/\n',
  ],
];

export const LINK_FIELDS: FieldRefusals = {
  manageAddLink: {
    partner_id: () => [['partner_id is required', null, '1', 1.5, true, [], {}, 1e300]],
    short_link: (field) => [
      ...identifier(field).filter(([message]) => !message.includes('cannot be stored')),
      [
        'short_link must be 1 to 64 letters, digits, hyphens, underscores or dots',
        'x'.repeat(65),
        'a b',
        'a/b',
        'é',
        '?',
      ],
    ],
    destination_url: destination,
    label: text(100),
  },
  manageUpdateLink: {
    active: oneMessage('active must be true or false', null, 'true', 1, 0, '', [], {}),
    destination_url: (field) =>
      destination(field).map(([message, ...values]) => [message, ...values.filter((value) => value !== '')]),
    label: text(100),
  },
  manageAddCoupon: {
    code: requiredText(64, 'code must not be empty'),
    partner_id: requiredPartner,
  },
  manageUpdateCoupon: { active: oneMessage('active must be true or false', null, 'true', 1, 0, '', [], {}) },
  manageSavePostback: {
    url: (field) => [
      ['url is required', null, '', '   ', 0, false],
      ...text(2_000, [1, 1.5, true, [], ['a'], {}])(field),
      ['Enter a full URL that starts with https://.', 'tracker.example', 'ftp://tracker.example/', 'https:///{sub_id}'],
      ['Unknown macro: {clickid}', 'https://tracker.example/?c={clickid}'],
      ['The URL must start with https://.', 'http://tracker.example/'],
      ['10.0.0.1 is not a public address.', 'https://10.0.0.1/'],
    ],
    method: oneMessage('method must be one of GET, POST', 'PUT', 'get', 1, true, [], {}),
    status: oneMessage('status must be one of active, disabled', 'on', 1, true, [], {}),
  },
  manageAskAboutOrder: {
    transaction_id: identifier,
    email: text(1024),
    partner_id: () => [['partner_id is required', null, '1', 1.5, true, [], {}, 1e300]],
  },
};
