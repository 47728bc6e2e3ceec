import { expect, it } from 'vitest';
import { changedFacts } from './audit-facts.ts';

it('shows every fact that was or is, with a dash for what is not there', () => {
  const before = { hold_days: 30, label: null, reason: 'hold_ended' };
  const after = {
    hold_days: 14,
    label: 'Blog',
    active: false,
    ids: [1, 2],
    questions: [{ label: 'Where?' }],
    none: [],
  };
  expect(changedFacts(before, after)).toEqual([
    { label: 'Hold days', before: '30', after: '14' },
    { label: 'Label', before: '–', after: 'Blog' },
    { label: 'Reason', before: 'Hold ended', after: '–' },
    { label: 'Active', before: '–', after: 'No' },
    { label: 'Ids', before: '–', after: '1, 2' },
    { label: 'Questions', before: '–', after: '{"label":"Where?"}' },
    { label: 'None', before: '–', after: '–' },
  ]);
});
