import { describe, expect, it } from 'vitest';
import { trackLead } from './lead.ts';

const firstMessage = (value: unknown) => trackLead.body.safeParse(value).error?.issues[0]?.message;

describe('the body of a lead', () => {
  it.each([
    ['click_id alone', { click_id: 'cust_1_2' }, { click_id: 'cust_1_2' }],
    ['customer_key alone', { customer_key: 'user-1' }, { customer_key: 'user-1' }],
    ['customer_key as an integer', { customer_key: 42 }, { customer_key: '42' }],
    ['both', { click_id: 'cust_1_2', customer_key: 'user-1' }, { click_id: 'cust_1_2', customer_key: 'user-1' }],
    ['program_id as a number', { customer_key: 'a', program_id: 7 }, { customer_key: 'a', program_id: 7 }],
    ['program_id as a decimal string', { customer_key: 'a', program_id: '7' }, { customer_key: 'a', program_id: 7 }],
    [
      'an invalid program_id, which is ignored',
      { customer_key: 'a', program_id: {} },
      { customer_key: 'a', program_id: undefined },
    ],
    [
      'email and additional_data',
      { customer_key: 'a', email: 'jane@example.com', additional_data: { plan: 'pro' } },
      { customer_key: 'a', email: 'jane@example.com', additional_data: { plan: 'pro' } },
    ],
    [
      'unknown fields, which are ignored',
      { customer_key: 'a', session_id: 's', debug_mode: true },
      { customer_key: 'a' },
    ],
  ])('accepts %s', (_case, sent, parsed) => {
    expect(trackLead.precheck(sent)).toBeNull();
    expect(trackLead.body.parse(sent)).toEqual(parsed);
  });

  it.each([
    ['neither is sent', {}],
    ['click_id empty', { click_id: '' }],
    ['both empty', { click_id: '', customer_key: '' }],
    ['other fields only', { email: 'jane@example.com', program_id: 7 }],
  ])('click_id or customer_key is required: %s', (_condition, sent) => {
    expect(trackLead.precheck(sent)).toBe('click_id or customer_key is required');
  });

  it.each([
    ['click_id must be a string', { click_id: 7 }],
    ['click_id must be at most 255 characters', { click_id: 'x'.repeat(256) }],
    ['customer_key must be a string', { customer_key: 1.5 }],
    ['customer_key must be at most 255 characters', { customer_key: 'x'.repeat(256) }],
    ['email must be a string', { customer_key: 'a', email: [] }],
    ['email must be at most 1024 characters', { customer_key: 'a', email: 'x'.repeat(1025) }],
    ['additional_data must be an object', { customer_key: 'a', additional_data: 'x' }],
    ['click_id must be a string', { click_id: 7, customer_key: 1.5, email: [] }],
  ])('%s', (message, sent) => {
    expect(firstMessage(sent)).toBe(message);
  });
});
