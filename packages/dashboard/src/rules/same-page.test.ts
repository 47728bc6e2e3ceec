import { expect, it } from 'vitest';
import { samePage } from './same-page.ts';

const other = { id: 8, isPartner: false };

it('keeps the page and what means the same in every program', () => {
  const search = { status: 'pending', partner_id: '5', q: 'order_1', cursor: 'x', from: '2026-03-01' };
  expect(samePage({ pathname: '/app/programs/7/commissions', search }, other)).toBe(
    '/app/programs/8/commissions?status=pending&from=2026-03-01',
  );
});

it('leads from a record to the list of such records', () => {
  expect(samePage({ pathname: '/app/programs/7/partners/5', search: { period: '7' } }, other)).toBe(
    '/app/programs/8/partners',
  );
});

it('leads to the overview where the other side has no such page', () => {
  const portal = { id: 9, isPartner: true };
  expect(samePage({ pathname: '/app/programs/7/settings', search: { tab: 'key' } }, portal)).toBe(
    '/app/portal/9/overview',
  );
  expect(samePage({ pathname: '/app/programs/7/links', search: {} }, portal)).toBe('/app/portal/9/links');
  expect(samePage({ pathname: '/app/programs/7', search: {} }, other)).toBe('/app/programs/8/overview');
});
