import {
  commissionType,
  DOMAIN,
  type FieldRefusals,
  identifier,
  NOT_DOMAINS,
  name,
  origins,
  rate,
  UNSTORABLE,
  window,
} from './values.ts';

const INIT_REQUIRES = 'Missing required fields: name, domain, commission_type, commission_rate';

export const CLI_FIELDS: FieldRefusals = {
  cliAuthStart: { device_name: identifier },
  cliAuthCallback: {
    state: (field) => [
      ['Missing required fields: state, id_token', null, '', 0, false],
      [`${field} must be a string`, 1, true, [], {}],
      [`${field} must be at most 255 characters`, 'x'.repeat(256)],
      [`${field} contains characters that cannot be stored`, ...UNSTORABLE],
    ],
    id_token: () => [
      ['Missing required fields: state, id_token', null, '', 0, false, 1, true, [], {}],
      ['id_token is too long', 'x'.repeat(8193)],
    ],
    user_code: identifier,
  },
  cliInit: {
    name: (field) => [[INIT_REQUIRES, null, ''], ...name(field)],
    domain: () => [
      [INIT_REQUIRES, null, ''],
      [DOMAIN, 1, true, [], {}, ...NOT_DOMAINS],
    ],
    commission_type: () => [[INIT_REQUIRES, null, ''], ...commissionType()],
    commission_rate: () => [[INIT_REQUIRES, null, ''], ...rate()],
    cookie_window_days: window(),
    cookie_duration: window(),
    recurring_months: window(0),
    duration_months: window(0),
    allowed_origins: origins,
  },
  cliTestEvent: {
    event_type: () =>
      ['Click', 'refund', '', 1, true].map((value) => [
        `Invalid event_type: ${value}. Valid: click, lead, sale`,
        value,
      ]),
  },
};
