import { describe, expect, it } from 'vitest';
import { describeAttribution, lastClickOf, MAX_VISITOR_CLICKS, type VisitorClick } from './credited-click.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const click = (day: number, parts: Partial<VisitorClick> = {}): VisitorClick => ({
  clickedAt: at(day),
  linkId: day,
  partnerId: day,
  membershipId: day,
  membershipStatus: 'active',
  sub: null,
  userAgent: 'Mozilla/5.0 Firefox/130.0',
  isOwn: false,
  ...parts,
});
const creditedDay = (clicks: VisitorClick[]) => lastClickOf(clicks, at(1)).click?.linkId ?? null;

describe('the last click', () => {
  it.each([
    ['is the latest one', [click(1), click(2), click(3)], 3],
    ['is nobody’s if there is only the first one', [click(1)], null],
    ['is not that of a blocked partner', [click(1), click(2), click(3, { membershipStatus: 'blocked' })], 2],
    ['is not that of a partner who has left', [click(1), click(2), click(3, { membershipStatus: null })], 2],
    ['is not that of the buyer', [click(1), click(2, { isOwn: true })], null],
    ['stays the first one if no other counts', [click(1), click(2, { membershipStatus: 'applied' })], null],
    ['counts although the first partner is blocked', [click(1, { membershipStatus: 'blocked' }), click(2)], 2],
    ['may have no user agent, like the others', [click(1, { userAgent: null }), click(2, { userAgent: null })], 2],
    ['has to have one, if the others do', [click(1), click(2, { userAgent: null })], null],
    ['counts after an update of the browser', [click(1), click(2, { userAgent: 'Mozilla/5.0 Firefox/131.0.2' })], 2],
    ['does not count with another browser', [click(1), click(2, { userAgent: 'Mozilla/5.0 Chrome/130.0' })], null],
  ])('%s', (_case, clicks, expected) => {
    expect(creditedDay(clicks)).toBe(expected);
  });

  it('counts up to the limit of clicks, and not beyond', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => click(index + 1));
    expect(creditedDay(many(MAX_VISITOR_CLICKS))).toBe(MAX_VISITOR_CLICKS);
    expect(lastClickOf(many(MAX_VISITOR_CLICKS + 1), at(1))).toEqual({ click: null, doubt: 'too_many_clicks' });
  });
});

it.each([
  [{}, null],
  [{ clicked_at: at(1).toISOString() }, null],
  [
    { attribution: 'last', clicked_at: at(1).toISOString(), credited_click_at: at(2).toISOString() },
    'Credited by the last click, of Jan 2, 2026, 12:00 AM UTC. The first click was on Jan 1, 2026, 12:00 AM UTC.',
  ],
  [
    { attribution: 'last', clicked_at: at(1).toISOString() },
    'Credited by the last click that counts, which was the first one, of Jan 1, 2026, 12:00 AM UTC.',
  ],
  [
    { attribution: 'last', clicked_at: at(1).toISOString(), later_clicks: 'too_many_clicks' },
    'Credited by the last click that counts, which was the first one, of Jan 1, 2026, 12:00 AM UTC. ' +
      'Later clicks do not count, because there were too many of them.',
  ],
])('the facts %j say: %s', (facts, expected) => {
  expect(describeAttribution(facts)?.replaceAll('\u202f', ' ') ?? null).toBe(expected);
});
