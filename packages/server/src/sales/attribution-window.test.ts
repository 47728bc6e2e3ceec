import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clickAgeDays, isWithinWindow } from './attribution-window.ts';

const DAY_MS = 86_400_000;
const clickedAt = new Date('2026-03-10T12:00:00.000Z');
const after = (days: number, ms = 0) => new Date(clickedAt.getTime() + days * DAY_MS + ms);

describe('isWithinWindow', () => {
  it.each([
    ['paid at the click', null, after(0), true],
    ['paid at the last moment', null, after(60), true],
    ['paid one millisecond late', null, after(60, 1), false],
    ['signed up at the last moment, paid long after', after(60), after(1000), true],
    ['signed up one millisecond late, paid at once', after(60, 1), after(60, 1), false],
    ['signed up in time, paid late', after(1), after(61), true],
    ['paid in time, signed up late', after(61), after(1), true],
    ['paid late, signed up later still', after(62), after(61), false],
  ])('%s', (_case, signedUpAt, paidAt, within) => {
    expect(isWithinWindow({ clickedAt, signedUpAt, paidAt, windowDays: 60 })).toBe(within);
  });

  it('compares the click with the signup if there was one by then, and with the payment otherwise', () => {
    const ms = fc.integer({ min: 0, max: 800 * DAY_MS });
    fc.assert(
      fc.property(fc.option(ms), ms, fc.integer({ min: 1, max: 400 }), (signupMs, paidMs, windowDays) => {
        const signedUpAt = signupMs === null ? null : after(0, signupMs);
        const within = isWithinWindow({ clickedAt, signedUpAt, paidAt: after(0, paidMs), windowDays });
        const isSignedUp = signupMs !== null && signupMs <= paidMs;
        expect(within).toBe((isSignedUp ? signupMs : paidMs) <= windowDays * DAY_MS);
      }),
    );
  });
});

describe('clickAgeDays', () => {
  it.each([
    [after(61), 61],
    [after(60, 1), 60.01],
    [after(60, DAY_MS / 2), 60.5],
  ])('for a payment at %s is %d', (paidAt, days) => {
    expect(clickAgeDays({ clickedAt, signedUpAt: null, paidAt, windowDays: 60 })).toBe(days);
  });

  it('exceeds the window whenever the click is outside it, and is at most a hundredth off', () => {
    const overMs = fc.integer({ min: 1, max: 400 * DAY_MS });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3650 }), overMs, (windowDays, ms) => {
        const days = clickAgeDays({ clickedAt, signedUpAt: null, paidAt: after(windowDays, ms), windowDays });
        expect(days).toBeGreaterThan(windowDays);
        expect(Math.abs(days - (windowDays + ms / DAY_MS))).toBeLessThan(0.0100001);
      }),
    );
  });
});
