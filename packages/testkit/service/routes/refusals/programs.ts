import {
  commissionType,
  currency,
  DOMAIN,
  type FieldRefusals,
  NOT_DOMAINS,
  NOT_TEXT,
  name,
  oneMessage,
  origins,
  READ_BY_OTHERS,
  type Refusals,
  rate,
  text,
  window,
} from './values.ts';

const settings = {
  commission_type: commissionType,
  commission_rate: rate,
  commission_base: oneMessage('commission_base must be net or gross', ...NOT_TEXT, '', 'Net'),
  currency,
  recurring_months: window(0),
  cookie_window_days: window(),
  attribution_window_days: window(),
  hold_days: window(0),
  coupons_win: oneMessage('coupons_win must be true or false', 'true', 1, 0, '', [], {}),
  lead_auth: oneMessage('lead_auth must be browser_allowed or server_required', ...NOT_TEXT, '', 'none'),
  allowed_origins: origins,
  link_parameters: (field: string): Refusals => [
    [`${field} must be a list of names`, 'via', 1, true, {}],
    [`${field} must hold strings`, [1], [null], [['via']]],
    [`${field} must hold at most 10 names`, Array.from({ length: 11 }, (_, n) => `p${n}`)],
    [`${field} must name each parameter once`, ['via', 'via'], ['via', 'ref', ' via ']],
    ...['', ' ', 'a b', 'a=b', 'a&b', 'é', 'a.b', '"', 'x'.repeat(41)].map((value): Refusals[number] => [
      `${field}: "${value.trim()}" must be 1 to 40 letters, digits, hyphens or underscores`,
      [value],
    ]),
    ...['aff', 'AFF', 'sub', 'svc_click_id', 'to', 'utm_source', 'utm_'].map((value): Refusals[number] => [
      `${field}: "${value}" has another meaning in links`,
      [value],
    ]),
  ],
  contact_email: (field: string): Refusals => [
    ...text(254)(field),
    ['contact_email must be an email address', 'nobody', 'a@', '@b', 'a b@c.test', 'a@b@c.test'],
  ],
  contact_url: (field: string): Refusals => [
    ...text(2048)(field),
    ['contact_url must be a web address', 'acme.test', 'ftp://acme.test', 'javascript:alert(1)', 'https://'],
  ],
  joining: oneMessage('joining must be closed, on_approval, open', ...NOT_TEXT, '', 'Open'),
};
/** A question of a join page. */
const QUESTION = (parts: object = {}) => ({ label: 'Where?', kind: 'text', required: false, options: [], ...parts });

export const PROGRAM_FIELDS: FieldRefusals = {
  manageCreateProgram: {
    name: (field) => [
      ['name and domain are required', null, '', 0, false],
      ...text(255, [1, true, [], {}])(field),
      ...READ_BY_OTHERS,
    ],
    domain: () => [
      ['name and domain are required', null, '', 0, false],
      [DOMAIN, 1, true, [], {}, ...NOT_DOMAINS],
    ],
    ...settings,
  },
  manageUpdateProgram: {
    name: (field) => [['name must not be empty', ''], ...name(field)],
    domain: oneMessage(DOMAIN, 1, true, [], {}, '', ...NOT_DOMAINS),
    ...settings,
    add_allowed_origins: origins,
  },
  manageSetProgramStatus: {
    status: oneMessage('status must be active, paused, archived', ...NOT_TEXT, null, '', 'deleted', 'Active'),
  },
  manageUpdateJoinPage: {
    brand_color: oneMessage('brand_color must be a color like #1a7f5a', ...NOT_TEXT, '', 'red', '#fff', '#12345g'),
    questions: () => [
      ['questions must be a list of at most 5 questions', 'x', 1, true, {}, Array.from({ length: 6 }, QUESTION)],
      [
        'questions: a question has 1 to 200 characters',
        [QUESTION({ label: ' ' })],
        [QUESTION({ label: 'x'.repeat(201) })],
      ],
      ['questions: kind must be text, long_text, choice', [QUESTION({ kind: 'number' })], [QUESTION({ kind: null })]],
      ['questions: required must be true or false', [QUESTION({ required: 'yes' })]],
      [
        'questions: a choice has 2 to 10 different options of at most 100 characters',
        ...[
          ['a'],
          ['a', 'a'],
          ['a', ''],
          ['a', 'x'.repeat(101)],
          'ab',
          Array.from({ length: 11 }, (_, n) => `${n}`),
        ].map((options) => [QUESTION({ kind: 'choice', options })]),
        [QUESTION({ options: ['a', 'b'] })],
      ],
      ['questions must all be different', [QUESTION(), QUESTION()]],
      ['questions contains characters that cannot be stored', [QUESTION({ label: 'a\0b' })]],
    ],
    agreement: text(20_000),
  },
  manageSetLogo: {
    image: () => [
      ['image is required', null],
      [
        'image must be a PNG, JPEG or WebP file of at most 45 KiB, in base64',
        1,
        true,
        [],
        {},
        '',
        'a b',
        'x'.repeat(61_444),
      ],
      ['image must be a PNG, JPEG or WebP file', Buffer.from('<svg><script/></svg>').toString('base64')],
    ],
  },
  manageAddApiKey: {
    mode: oneMessage('mode must be live or test', 1, 1.5, true, [], ['test'], {}, '', 'Live', 'sandbox'),
  },
  manageRequireRotation: {
    rotate_by: () => [
      ['rotate_by must be an ISO 8601 time', null, '', 'tomorrow', '2026-03-11', 1_800_000_000, true, [], {}],
      [
        'rotate_by must be in the future',
        '2026-03-10T12:00:00.000Z',
        '2026-03-10T13:59:59+02:00',
        '1970-01-01T00:00:00Z',
      ],
    ],
  },
  manageAddDomain: {
    host: (field) => [
      [
        'host must be a host name of your own, like go.example.com',
        ...NOT_TEXT,
        ' ',
        'acme',
        '192.0.2.1',
        '0x7f.1',
        '[::1]',
      ],
      [
        `${field} must be a host name of your own, like go.example.com`,
        'go.acme.test:8443',
        'https://go.acme.test',
        'go.acme.test/x',
      ],
      ['This is the host of the service. Choose a host of your own, like go.example.com.', 'track.test', 'TRACK.test.'],
      ["acme.test is the program's own site. Choose another host, like go.acme.test.", 'acme.test', ' ACME.test'],
    ],
  },
};
