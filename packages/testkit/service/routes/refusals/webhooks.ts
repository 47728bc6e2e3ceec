import { type FieldRefusals, NOT_TEXT, oneMessage, type Refusals, text } from './values.ts';

const TYPES = 'types must be a list of event types, or ["*"] for all';
const eventTypes = (): Refusals => [
  [TYPES, 'sale.created', 1, true, {}, [], [1], [['sale.created']], Array.from({ length: 100 }, () => 'sale.created')],
  ['Unknown event type: sale.made', ['sale.created', 'sale.made'], ['sale.made']],
  ['Unknown event type: ', ['']],
];
const endpoint = {
  url: (field: string): Refusals => [
    ...text(2048)(field),
    ['url is required', '   '],
    ['Enter a full URL that starts with https://.', 'acme.test', 'https://', 'ftp://acme.test', 'javascript:alert(1)'],
    ['The URL must start with https://.', 'http://acme.test/hook'],
    ['The URL must use port 443.', 'https://acme.test:8443/hook'],
    ['The URL must not contain a user name or password.', 'https://jane@acme.test/', 'https://jane:pw@acme.test/'],
    ['127.0.0.1 is not a public address.', 'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/'],
  ],
  types: eventTypes,
  description: text(200),
};

export const WEBHOOK_FIELDS: FieldRefusals = {
  manageAddWebhook: {
    ...endpoint,
    format: oneMessage('format must be one of json, slack, discord', ...NOT_TEXT, '', 'xml', 'JSON'),
  },
  manageChangeWebhook: {
    ...endpoint,
    status: oneMessage('status must be one of active, disabled', ...NOT_TEXT, '', 'paused'),
    send_missed: oneMessage('send_missed must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageReplayWebhook: {
    from: (field) => [
      [`${field} must be a date or an ISO 8601 time`, 1, true, [], {}, '', 'soon', '2026-13-01'],
      ['from must be before to', '2030-01-01', '2040-01-01'],
    ],
    to: oneMessage('to must be a date or an ISO 8601 time', 1, true, [], {}, '', 'soon', '2026-13-01'),
    types: eventTypes,
    dry_run: oneMessage('dry_run must be true or false', 'true', 1, 0, '', [], {}),
  },
};
