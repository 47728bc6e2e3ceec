import { email, type FieldRefusals, NOT_TEXT, name, oneMessage, openLink, token, UNSTORABLE } from './values.ts';

const workspaceRole = oneMessage(
  'role must be one of owner, member, finance, viewer',
  ...NOT_TEXT,
  '',
  'partner',
  'Owner',
);

export const TEAM_FIELDS: FieldRefusals = {
  manageInvite: {
    email,
    role: workspaceRole,
    open_link: openLink,
  },
  manageAccept: {
    token,
    answers: () => [
      ['answers must be a list of {question, answer}', 'x', 1, true, {}, ['x'], [1]],
      ['question must be a string', [{ question: 1, answer: 'x' }]],
      ['answer must be a string', [{ question: 'x' }], [{ question: 'x', answer: [] }]],
      ['answer must be at most 2000 characters', [{ question: 'x', answer: 'x'.repeat(2_001) }]],
      [
        'answer contains characters that cannot be stored',
        ...UNSTORABLE.map((bad) => [{ question: 'x', answer: bad }]),
      ],
      ['answers must be at most 5', Array.from({ length: 6 }, (_, n) => ({ question: `${n}`, answer: 'x' }))],
    ],
    agreements: () => [
      ['agreements must be a list of {program_id, version}', 'x', 1, true, {}, ['x'], [{}], [{ program_id: 1 }]],
      ['agreements must be at most 100', Array.from({ length: 101 }, () => ({ program_id: 1, version: 1 }))],
    ],
  },
  manageUpdateMember: { role: workspaceRole },
  manageUpdateWorkspace: {
    name: (field) => [['name must not be empty', '', '   '], ...name(field)],
    second_factor_required: oneMessage('second_factor_required must be true or false', 'true', 1, 0, '', [], {}),
  },
  manageLookUpInvitation: { token },
};
