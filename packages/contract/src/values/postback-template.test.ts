import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import {
  fillPostback,
  POSTBACK_MACRO_NAMES,
  type PostbackValues,
  postbackProblem,
  tellsReversals,
} from './postback-template.ts';

const VALUES: PostbackValues = {
  click_id: 'cust_7_1767225600000',
  sub: 'mail 42',
  sub_id: 'a b/c?d=e&f#g',
  transaction_id: 'order-1',
  amount: '100.00',
  commission: '-20.00',
  currency: 'USD',
  status: 'partially_reversed',
  event: 'reversed',
  coupon: 'Jané20',
  happened_at: '2026-03-10T12:00:00.000Z',
};

describe('a filled URL', () => {
  it('has every value in its place, percent-encoded', () => {
    const template = `https://t.example/p/{transaction_id}?${POSTBACK_MACRO_NAMES.map((name) => `${name}={${name}}`).join('&')}`;
    expect(fillPostback(template, VALUES)).toBe(
      'https://t.example/p/order-1?click_id=cust_7_1767225600000&sub=mail%2042&sub_id=a%20b%2Fc%3Fd%3De%26f%23g&transaction_id=order-1' +
        '&amount=100.00&commission=-20.00&currency=USD&status=partially_reversed&event=reversed&coupon=Jan%C3%A920' +
        '&happened_at=2026-03-10T12%3A00%3A00.000Z',
    );
  });

  it.each([
    ['the characters that encodeURIComponent leaves alone', "!'()*", '%21%27%28%29%2A'],
    ['a macro inside a value', '{amount}', '%7Bamount%7D'],
    ['a pattern of a replacement', '$&$1', '%24%26%241'],
    ['line breaks', 'a\r\nHost: x', 'a%0D%0AHost%3A%20x'],
    ['half a character', '\ud83d', '%EF%BF%BD'],
    ['nothing', '', ''],
    ['the folder above', '..', ''],
  ])('encodes %s', (_, value, encoded) => {
    const url = fillPostback('https://t.example/{sub_id}/x?s={sub_id}', { ...VALUES, sub_id: value });
    expect(url).toBe(`https://t.example/${encoded}/x?s=${encoded}`);
  });

  it('leads to the same host, path and parameters, whatever a value is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (value) => {
        const url = new URL(
          fillPostback('https://t.example/a/-{sub_id}/b?one={sub_id}&two=2', { ...VALUES, sub_id: value }),
        );
        expect([url.origin, url.pathname.split('/').length, [...url.searchParams.keys()]]).toEqual([
          'https://t.example',
          4,
          ['one', 'two'],
        ]);
        if (!/^\.+$/.test(value)) expect(url.searchParams.get('one')).toBe(value.toWellFormed());
      }),
    );
  });
});

const HOST = 'Macros can be used in the path and the query only, not in the host name.';
const FULL = 'Enter a full URL that starts with https://.';
const BRACES = 'Braces can only surround the name of a macro.';
const MISLEADING = 'The URL must not contain spaces, backslashes or control characters.';

describe('the URL of a postback', () => {
  it.each([
    'https://t.example',
    'https://t.example/?c={click_id}',
    'https://t.example/{click_id}/{click_id}{sub_id}?a[]={amount}&x=%7Bnot%7D',
    'HTTPS://T.example:8443/p?{event}={status}',
    `https://t.example/?${'x'.repeat(2_000 - 'https://t.example/?'.length)}`,
  ])('can be %.80s', (template) => {
    expect(postbackProblem(template)).toBeNull();
  });

  it.each([
    ['https://t.example/?c={clickid}', 'Unknown macro: {clickid}'],
    ['https://t.example/?c={CLICK_ID}', 'Unknown macro: {CLICK_ID}'],
    ['https://t.example/?c={ click_id}', MISLEADING],
    ['https://t.example/?c={}', 'Unknown macro: {}'],
    ['https://t.example/?c={constructor}', 'Unknown macro: {constructor}'],
    ['https://t.example/?c={{click_id}}', BRACES],
    ['https://t.example/?c={click_id', BRACES],
    ['https://t.example/?c=click_id}', BRACES],
    ['https://{sub_id}/', HOST],
    ['https://{sub_id}.t.example/', HOST],
    ['https://t.example{sub_id}/', HOST],
    ['https://t.example:{amount}/', HOST],
    ['https://{sub_id}@t.example/', HOST],
    ['{sub_id}://t.example/', FULL],
    ['http{sub_id}://t.example/', FULL],
    ['https:///{sub_id}/', FULL],
    ['https:/t.example/', FULL],
    ['https:t.example', FULL],
    ['https://?{sub_id}', FULL],
    ['https://t.example:99999/', FULL],
    ['ftp://t.example/', FULL],
    ['//t.example/', FULL],
    ['t.example', FULL],
    ['https:\\\\{sub_id}', MISLEADING],
    ['https://t.example\\{sub_id}', MISLEADING],
    ['https://t.example/ ?a', MISLEADING],
    ['https://t.example/\n', MISLEADING],
    ['https://t.example/#{click_id}', 'The URL must not contain #. What follows it is never sent.'],
    [`https://t.example/?${'x'.repeat(2_001 - 'https://t.example/?'.length)}`, 'url must be at most 2000 characters'],
  ])('cannot be %.80j', (template, problem) => {
    expect(postbackProblem(template)).toBe(problem);
  });

  it.each([
    ['https://t.example/?s={status}', true],
    ['https://t.example/{event}', true],
    ['https://t.example/?c={click_id}&status=approved', false],
    ['https://t.example/?status', false],
  ])('tells reversals if it can say so: %s %s', (template, tells) => {
    expect(tellsReversals(template)).toBe(tells);
  });
});
