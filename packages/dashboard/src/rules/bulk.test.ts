import { describe, expect, it } from 'vitest';
import { describeBulkAction, describeResult, sinceTheNewest } from './bulk.ts';

it('says what was done, and what was skipped and why', () => {
  const skipped = [
    { reason: 'paid', count: 3 },
    { reason: 'in_payout', count: 4 },
  ];
  expect(describeResult({ changed: 1_204, skipped }, 'commissions', 'approved')).toBe(
    '1,204 commissions approved. 7 skipped: 3 already paid, 4 in a payout.',
  );
  expect(describeResult({ changed: 1, skipped: [] }, 'payouts', 'marked as paid')).toBe('1 payout marked as paid');
});

it('says how far a bulk action is, and how far it came', () => {
  const review = {
    kind: 'review_commissions',
    change: { action: 'approve' },
    total: 8_990,
    changed: 2_200,
    skipped: [{ reason: 'rejected', count: 100 }],
  } as const;
  const said = (status: 'running' | 'done' | 'stopped' | 'failed') =>
    describeBulkAction({ ...review, skipped: [...review.skipped], status });
  expect([said('running'), said('done'), said('stopped'), said('failed')]).toEqual([
    'Approving commissions: 2,300 of 8,990',
    '2,200 commissions approved. 100 skipped: 100 rejected.',
    'Stopped: 2,200 of 8,990 commissions approved.',
    'Something went wrong on the server: 2,200 of 8,990 commissions approved. Do it again for the rest.',
  ]);
  expect(
    describeBulkAction({ ...review, skipped: [...review.skipped], status: 'stopped', stop_reason: 'role_lost' }),
  ).toBe(
    'Stopped, because the person who started it no longer has the role for it: 2,200 of 8,990 commissions approved.',
  );
});

it.each([
  [{ status: 'active', from_status: 'applied' }, '2 applications approved'],
  [{ status: 'removed', from_status: 'applied' }, '2 applications declined'],
  [{ status: 'removed' }, '2 partners removed'],
  [{ status: 'blocked' }, '2 partners blocked'],
  [{ status: 'active' }, '2 partners reinstated'],
  [{}, '2 partners moved'],
])('a bulk change of partners to %o is said as “%s”', (change, text) => {
  const action = { kind: 'change_partners', change, status: 'done', total: 2, changed: 2, skipped: [] } as const;
  expect(describeBulkAction({ ...action, skipped: [] })).toBe(text);
});

it.each([
  ['invite_partners', {}, '2 partners invited'],
  ['resend_invitations', {}, '2 invitations sent again'],
  ['change_links', { active: true }, '2 links enabled'],
  ['change_links', { active: false }, '2 links disabled'],
  ['change_links', { deleted: true }, '2 links deleted'],
  ['message_partners', {}, '2 partners written to'],
  ['change_coupons', { active: true }, '2 coupons switched on'],
  ['change_coupons', { active: false }, '2 coupons switched off'],
] as const)('a bulk action %s with %o is said as “%s”', (kind, change, text) => {
  expect(describeBulkAction({ kind, change, status: 'done', total: 2, changed: 2, skipped: [] })).toBe(text);
});

describe('which bulk actions are shown', () => {
  const action = (id: number, created: number, finished: number | null) => ({
    id,
    status: finished === null ? 'running' : 'done',
    created_at: `2026-01-01T00:00:0${created}Z`,
    finished_at: finished === null ? null : `2026-01-01T00:00:0${finished}Z`,
  });
  const idsOf = (actions: ReturnType<typeof action>[]) => sinceTheNewest(actions).map(({ id }) => id);

  it('is the newest one, those that still run, and those that have ended since the newest one began', () => {
    expect(idsOf([])).toEqual([]);
    expect(idsOf([action(3, 5, 6), action(2, 1, 2), action(1, 0, null)])).toEqual([1, 3]);
    expect(idsOf([action(3, 5, null), action(2, 1, 7), action(1, 0, 5)])).toEqual([2, 3]);
  });
});
