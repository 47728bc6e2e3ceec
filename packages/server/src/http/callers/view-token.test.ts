import { expect, it } from 'vitest';
import { readView, signView } from './view-token.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const VIEW = { userId: 'ann', programId: 3, partnerId: 7 };
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const { token } = signView('secret', VIEW, NOW);

it('lets the person who started it see the partner for an hour', () => {
  expect(readView('secret', token, VIEW, minutesLater(59))).toBe(7);
  expect(readView('secret', token, VIEW, minutesLater(60))).toBe(null);
});

it.each<[why: string, token: string, secret: string, caller: { userId: string; programId: number }]>([
  ['another person', token, 'secret', { userId: 'bob', programId: 3 }],
  ['another program', token, 'secret', { userId: 'ann', programId: 4 }],
  ['another secret', token, 'other', VIEW],
  ['another partner', token.replace(/^7/, '8'), 'secret', VIEW],
  ['another end', token.replace(/\.\d+\./, '.99999999999999.'), 'secret', VIEW],
  ['nonsense', 'nonsense', 'secret', VIEW],
])('is refused for %s', (_why, given, secret, caller) => {
  expect(readView(secret, given, caller, NOW)).toBe(null);
});
