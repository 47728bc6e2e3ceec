import {
  type FieldRefusals,
  NOT_INTEGERS,
  NOT_TEXT,
  oneMessage,
  READ_BY_OTHERS,
  type Refusals,
  text,
} from './values.ts';

const creativeGroup = (field: string): Refusals => [
  [`${field} must be a whole number`, ...NOT_INTEGERS, 0, -1],
  ['group_id is not a group of this program', 999_999_999],
];

export const CREATIVE_FIELDS: FieldRefusals = {
  manageAddCreative: {
    kind: (field) => [
      ['kind and title are required', null, '', 0, false],
      [`${field} must be file, link, text`, 1, true, [], {}, 'File', 'video'],
    ],
    title: (field) => [
      ['kind and title are required', null, '', 0, false],
      ['title must not be empty', ' '],
      ...text(100, [1, true, [], {}])(field),
      ...READ_BY_OTHERS.map((refusal): Refusals[number] => [refusal[0].replace('name', 'title'), ...refusal.slice(1)]),
    ],
    status: oneMessage('status must be draft or published', ...NOT_TEXT, '', 'Draft', 'deleted'),
    group_id: creativeGroup,
    // The valid request is about a file.
    url: oneMessage('url does not belong to a file', 1, '', 'https://acme.test'),
    text: oneMessage('text does not belong to a file', 1, '', 'Try it'),
    file_name: (field) => [
      ['file_name is required', null],
      ['file_name must not be empty', '', ' '],
      ...text(120)(field),
    ],
    content: () => [
      ['content is required', null],
      ['content must be a file of at most 5 MiB, in base64', 1, true, [], {}, '', 'a b', 'A'.repeat(6_990_509)],
      [
        'content must be a PNG, JPEG, WebP, GIF or PDF file in base64. What counts is what the file is, not its name.',
        Buffer.from('<svg><script/></svg>').toString('base64'),
        '****',
        'iVBORw0KGgoAAAANSUhEUgAA AAEA',
      ],
    ],
  },
  manageUpdateCreative: {
    title: (field) => [['title must not be empty', '', ' '], ...text(100)(field)],
    status: oneMessage('status must be draft or published', ...NOT_TEXT, '', 'Draft', 'deleted'),
    group_id: creativeGroup,
    url: (field) => [
      ...text(2048)(field).slice(0, 2),
      [
        'url must be a web address, without a user name or a password',
        ...[
          '',
          'acme.test',
          'javascript:alert(1)',
          'data:text/html,x',
          'https://a:b@acme.test',
          'https://acme.test\\@b',
        ],
      ],
      ['url does not belong to a file', 'https://acme.test'],
    ],
    text: (field) => [
      ['text must not be empty', '', ' '],
      ...text(5_000)(field),
      ['text does not belong to a file', 'Try it'],
    ],
  },
  manageOrderCreatives: {
    ids: () => [
      [
        'ids must be a list of 1 to 200 different creative ids',
        ...[null, '1', 1, true, {}, [], [0], [-1], [1.5], ['1'], [null], [1, 1]],
        Array.from({ length: 201 }, (_, id) => id + 1),
      ],
    ],
  },
};
