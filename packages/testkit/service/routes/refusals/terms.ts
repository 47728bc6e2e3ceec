import { type FieldRefusals, NOT_TEXT, oneMessage, READ_BY_OTHERS, type Refusals, text } from './values.ts';

const rules = (): Refusals => [
  ['rules must be a list of rules', 1, true, 'x', {}],
  ['rule 1: it must be an object', [1], ['x'], [[]], [null]],
  ['rule 1: on must be sale or lead', [{}], [{ on: 'click' }], [{ on: ['sale'] }]],
  ['rule 1: pays must be an object', [{ on: 'sale' }], [{ on: 'sale', pays: 5 }]],
];
const tier = (): Refusals => [
  ['tier must be an object with of, in and at_least', 1, 'x', true, []],
  ['tier.of must be revenue or sales', {}, { of: 'clicks' }],
  ['tier.in must be month or lifetime', { of: 'sales' }, { of: 'sales', in: 'week' }],
  ['tier.at_least must be a whole number, 1 or more', { of: 'sales', in: 'month', at_least: 0 }],
];
const attribution = oneMessage('attribution must be first or last', ...NOT_TEXT, '', 'Last', 'linear');

export const TERMS_FIELDS: FieldRefusals = {
  manageAddGroup: {
    name: (field) => [
      ['name is required', '', null],
      ['name must not be empty', ' '],
      ...text(100, NOT_TEXT.filter(Boolean))(field).filter(([, value]) => value !== ''),
      ...READ_BY_OTHERS,
    ],
    tier,
  },
  manageUpdateGroup: {
    name: (field) => [['name must not be empty', '', ' '], ...text(100)(field), ...READ_BY_OTHERS],
    tier,
  },
  manageAddTerms: {
    rules,
    attribution,
    effective_from: oneMessage(
      'effective_from must be an ISO 8601 time',
      1,
      true,
      [],
      {},
      '',
      'soon',
      '2026-13-01',
      '2026-01-01',
    ),
    note: text(500),
    backdate: oneMessage('backdate must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageSimulateTerms: {
    rules,
    attribution,
    from: oneMessage('from must be a date or an ISO 8601 time', 1, true, [], {}, '', 'soon', '2026-13-01'),
    to: (field) => [
      [`${field} must be a date or an ISO 8601 time`, 1, true, [], {}, '', 'soon', '2026-13-01'],
      ['to must be after from', '2020-01-01', '0001-01-01'],
    ],
    groups: oneMessage('groups must be then or now', ...NOT_TEXT, '', 'today'),
  },
};
