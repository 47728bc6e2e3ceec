import { describe, expect, it } from 'vitest';
import { describeRefusal, type Fix, type RefusedEvent } from './refusal.ts';

const EVENT: RefusedEvent = {
  kind: 'sale',
  outcome: 'refused',
  reason: 'partner_blocked',
  sentence: 'The partner is blocked in the program and earns no commission.',
  message: null,
  origin: null,
  transaction_id: null,
  customer_key: null,
  click_id: null,
  click_age_days: null,
  window_days: null,
};

const describeEvent = (parts: Partial<RefusedEvent>) => describeRefusal({ ...EVENT, ...parts }, 7);

describe('a refused event', () => {
  it.each<[string, Partial<RefusedEvent>, string, Fix | null]>([
    [
      'of a page on another origin',
      { kind: 'click', reason: 'origin_not_allowed', origin: 'http://localhost:5173' },
      'Pages on http://localhost:5173 may not report to this program yet.',
      { is: 'allow', origin: 'http://localhost:5173' },
    ],
    [
      'of a file',
      { kind: 'click', reason: 'origin_not_allowed', origin: 'null' },
      'The page was opened from a file. Open it over http:// or https:// instead.',
      null,
    ],
    [
      'of many origins',
      { kind: 'click', reason: 'origin_not_allowed', origin: 'other origins' },
      'Pages on several other sites tried to report to this program.',
      null,
    ],
    [
      'without a field',
      { reason: 'invalid_request', message: 'transaction_id is required and must be a string' },
      'The request is wrong: transaction_id is required and must be a string.',
      { is: 'copy', label: 'Copy the missing field', text: expect.stringMatching(/^transaction_id: /) },
    ],
    [
      'with a key of another program',
      { reason: 'program_mismatch' },
      'The program in the request does not match the API key.',
      { is: 'copy', label: 'Copy the program ID', text: 'program_id: 7' },
    ],
    [
      'of nobody',
      { reason: 'customer_not_found' },
      'The sale doesn’t say who paid.',
      { is: 'copy', label: 'Copy the missing field', text: expect.stringMatching(/^customer_key: /) },
    ],
    [
      'of a user who has not signed up',
      { reason: 'customer_not_found', customer_key: 'user-1' },
      'No signup has the user ID user-1. Report the signup first, with the same ID.',
      { is: 'step', label: 'Show the signup code', step: 'lead' },
    ],
    [
      'outside the window',
      { outcome: 'not_attributed', reason: 'attribution_window_expired', click_age_days: 73, window_days: 60 },
      'The click was 73 days old, and clicks count for 60 days.',
      { is: 'settings', label: 'Change the window', tab: 'tracking' },
    ],
    ['with a reason of its own', {}, EVENT.sentence, null],
  ])('%s says why, and what fixes it', (_what, parts, cause, fix) => {
    expect(describeEvent(parts)).toMatchObject({ cause, fix });
  });

  it('says what it was', () => {
    expect(describeEvent({ kind: 'lead' }).title).toBe('Signup refused');
    expect(describeEvent({ outcome: 'not_attributed' }).title).toBe('Sale not credited');
  });
});
