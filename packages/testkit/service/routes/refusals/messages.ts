import { chosen, type FieldRefusals, NOT_TEXT, oneMessage, READ_BY_OTHERS, type Refusals, text } from './values.ts';

const NO_ADDRESS = ['https://evil.example', 'at www.evil.example', 'evil.example/login'];

const messageTexts = {
  subject: (field: string): Refusals => [
    ['subject and text are required', null, '', 0, false],
    ['subject must not be empty', ' '],
    ...text(150, [1, true, [], {}])(field),
    ...READ_BY_OTHERS.map((refusal): Refusals[number] => [refusal[0].replace('name', 'subject'), ...refusal.slice(1)]),
  ],
  text: (field: string): Refusals => [
    ['subject and text are required', null, '', 0, false],
    ['text must not be empty', ' '],
    ...text(5_000, [1, true, [], {}])(field),
    ['text must not contain a web address', ...NO_ADDRESS],
  ],
};

const opening = (field: string): Refusals => [
  ...text(1_000)(field),
  [`${field} must not contain a web address`, ...NO_ADDRESS],
];
const openedMail = oneMessage('mail must be invitation or welcome', null, ...NOT_TEXT, '', 'Welcome', 'digest');

export const MESSAGE_FIELDS: FieldRefusals = {
  manageStartMessage: { ...messageTexts, ...chosen },
  manageTestMessage: messageTexts,
  manageUpdateMailOpenings: { invitation: opening, welcome: opening },
  managePreviewMail: { mail: openedMail, opening },
  manageTestMail: { mail: openedMail, opening },
};
