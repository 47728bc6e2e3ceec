import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { deviceName } from '../cli/auth.ts';
import { addPasskeyFields } from '../manage/account/sign-in-factors.ts';
import { manageAddGroup } from '../manage/terms/groups.ts';
import {
  additionalData,
  amountCents,
  currency,
  customerKey,
  identifier,
  isStorable,
  jsonArray,
  jsonObject,
  optionalIdentifier,
  personName,
  programReference,
  text,
  transactionId,
  urlText,
} from './fields.ts';

/** The parsed value, or the message of the first issue. */
function read(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : { refused: parsed.error.issues[0]?.message };
}

const refused = (message: string) => ({ refused: message });
const UNSTORABLE = ['\0', 'a\0b', '\ud800', '\udfff', 'a\udc00', '\udc00\ud800', '\ud800\ud800\udc00'];

describe('isStorable', () => {
  it.each(['', 'abc', 'äöü', '日本語', '🙂', '\u{10FFFF}', '\u0001', '\ufffd', '\uffff', '\n\t'])(
    'is true for %j',
    (value) => {
      expect(isStorable(value)).toBe(true);
    },
  );

  it.each(UNSTORABLE)('is false for %j', (value) => {
    expect(isStorable(value)).toBe(false);
  });

  it('is true exactly for text that UTF-8 preserves and that contains no NUL', () => {
    const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(anyText, (value) => {
        const survives = Buffer.from(value, 'utf8').toString('utf8') === value && !value.includes('\0');
        expect(isStorable(value)).toBe(survives);
      }),
    );
  });
});

describe.each([
  ['identifier', identifier('name'), 255],
  ['text', text('name'), 1024],
  ['urlText', urlText('name'), 2048],
])('%s', (_kind, schema, maxChars) => {
  it(`accepts text of up to ${maxChars} characters unchanged`, () => {
    for (const value of ['', 'a', ' a ', 'x'.repeat(maxChars)]) expect(read(schema, value)).toBe(value);
  });

  it('names the field if the text is longer', () => {
    expect(read(schema, 'x'.repeat(maxChars + 1))).toEqual(refused(`name must be at most ${maxChars} characters`));
  });

  it.each([1, true, {}, [], null, undefined])('names the field if the value is %j', (value) => {
    expect(read(schema, value)).toEqual(refused('name must be a string'));
  });

  it.each(UNSTORABLE)('names the field if the text cannot be stored: %j', (value) => {
    expect(read(schema, value)).toEqual(refused('name contains characters that cannot be stored'));
  });
});

describe('optionalIdentifier', () => {
  it.each([
    ['abc', 'abc'],
    ['', undefined],
    [undefined, undefined],
    [7, refused('name must be a string')],
    ['x'.repeat(256), refused('name must be at most 255 characters')],
  ])('%j', (value, expected) => {
    expect(read(optionalIdentifier('name'), value)).toEqual(expected);
  });
});

describe('customer_key', () => {
  it.each([
    ['user-1', 'user-1'],
    ['', undefined],
    [undefined, undefined],
    [42, '42'],
    [0, '0'],
    [-7, '-7'],
    [9_007_199_254_740_991, '9007199254740991'],
    [9_007_199_254_740_992, refused('customer_key must be a string')],
    [1.5, refused('customer_key must be a string')],
    [true, refused('customer_key must be a string')],
    [{}, refused('customer_key must be a string')],
    [['a'], refused('customer_key must be a string')],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), refused('customer_key must be at most 255 characters')],
    ['a\0', refused('customer_key contains characters that cannot be stored')],
  ])('%j', (value, expected) => {
    expect(read(customerKey, value)).toEqual(expected);
  });

  it('turns an integer into its decimal string', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (id) => {
        expect(read(customerKey, id)).toBe(BigInt(id).toString());
      }),
    );
  });
});

describe('transaction_id, with one message for all errors,', () => {
  it.each(['a', ' a ', '0', 'x'.repeat(255), '🙂'])('accepts %j', (value) => {
    expect(read(transactionId('wrong'), value)).toBe(value);
  });

  it.each([undefined, null, 1, true, {}, [], '', ' \t\n', 'x'.repeat(256), ...UNSTORABLE])('refuses %j', (value) => {
    expect(read(transactionId('wrong'), value)).toEqual(refused('wrong'));
  });
});

describe('amount_cents, with one message for all errors,', () => {
  it.each([1, 4900, 9_007_199_254_740_991])('accepts %j', (value) => {
    expect(read(amountCents('wrong'), value)).toBe(value);
  });

  it.each([undefined, null, 0, -1, 0.5, 9_007_199_254_740_992, 1e300, Number.NaN, '4900', true, {}, []])(
    'refuses %j',
    (value) => {
      expect(read(amountCents('wrong'), value)).toEqual(refused('wrong'));
    },
  );
});

describe('currency', () => {
  it.each([
    ['USD', 'USD'],
    ['eur', 'EUR'],
    ['jPy', 'JPY'],
  ])('accepts ISO 4217 codes in any case: %s', (value, code) => {
    expect(read(currency, value)).toBe(code);
  });

  it.each([undefined, null, '', 'US', 'XYZ', ' USD', 'U$D', 'ſeк', 840, {}, '\ud800'])('refuses %j', (value) => {
    expect(read(currency, value)).toEqual(refused('currency must be an ISO 4217 code'));
  });
});

describe('a program_id', () => {
  it.each([
    [7, 7],
    ['7', 7],
    [9_007_199_254_740_991, 9_007_199_254_740_991],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('is parsed from %j', (value, id) => {
    expect(read(programReference, value)).toBe(id);
  });

  const invalid: unknown[] = [
    ...[undefined, null, 0, -1, 1.5, Number.NaN, 9_007_199_254_740_992, true, {}, [7], { toString: 1 }],
    ...['', '0', '-1', '1.0', '1e3', '07', '+7', ' 7', '0x7', 'seven', '9007199254740993'],
  ];

  it.each(invalid)('is undefined for %j', (value) => {
    expect(read(programReference, value)).toBeUndefined();
  });
});

describe('a JSON field', () => {
  const nest = (levels: number, leaf: unknown): unknown => (levels === 0 ? leaf : [nest(levels - 1, leaf)]);
  const object = jsonObject('data');
  const array = jsonArray('data');

  it('may have to be an object', () => {
    const value = { a: 1, b: [null, true, 'x', { c: 1.5 }], '': {} };
    expect(read(object, value)).toEqual(value);
    for (const wrong of [[], 'a', 1, true, null])
      expect(read(object, wrong)).toEqual(refused('data must be an object'));
  });

  it('may have to be an array', () => {
    expect(read(array, [1, { a: [] }])).toEqual([1, { a: [] }]);
    for (const wrong of [{}, 'a', 1, true, null]) expect(read(array, wrong)).toEqual(refused('data must be an array'));
  });

  it('is nested at most 32 levels deep, including itself', () => {
    const tooDeep = refused('data must be nested at most 32 levels deep');
    expect(read(array, nest(32, 1))).toEqual(nest(32, 1));
    expect(read(array, nest(33, 1))).toEqual(tooDeep);
    expect(read(object, { a: nest(31, 1) })).toEqual({ a: nest(31, 1) });
    expect(read(object, { a: nest(32, 1) })).toEqual(tooDeep);
    expect(read(object, { a: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) })).toEqual(tooDeep);
  });

  it.each(UNSTORABLE)('must not contain %j, which cannot be stored, in values or names', (bad) => {
    const unstorable = refused('data contains characters that cannot be stored');
    expect(read(object, { a: bad })).toEqual(unstorable);
    expect(read(object, { [bad]: 1 })).toEqual(unstorable);
    expect(read(object, { a: [{ b: [{ [bad]: 1 }] }] })).toEqual(unstorable);
    expect(read(array, ['fine', [bad]])).toEqual(unstorable);
  });

  it('is not changed', () => {
    const name = fc.string().filter((key) => key !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue({ maxDepth: 5 })), (value) => {
        expect(JSON.stringify(read(object, value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('may have up to 4 KiB in additional_data', () => {
    const sized = (bytes: number) => ({ a: 'ä'.repeat((bytes - 8) / 2) });
    expect(read(additionalData, sized(4_096))).toEqual(sized(4_096));
    expect(read(additionalData, sized(4_098))).toEqual(refused('additional_data must be at most 4 KiB'));
  });

  it('is optional in additional_data', () => {
    expect(read(additionalData, undefined)).toBeUndefined();
    expect(read(additionalData, [])).toEqual(refused('additional_data must be an object'));
  });
});

describe('a name', () => {
  const LINE = 'name must be one line without control characters';
  const ADDRESS = 'name must not contain a web address';

  it.each([
    ['Acme\r\nBcc: everyone@people.test', LINE],
    ['Acme\nInc', LINE],
    ['Acme\u001b[31m', LINE],
    ['Acme\u0085Inc', LINE],
    ['Acme\u2028Inc', LINE],
    ['Acme \u202egro.emca', LINE],
    ['Acme \u2067emca', LINE],
    ['verify at https://evil.example/login now', ADDRESS],
    ['javascript://acme', ADDRESS],
    ['Acme www.evil.example', ADDRESS],
    ['see WWW.evil.example', ADDRESS],
    ['go to evil.example/login', ADDRESS],
  ])('cannot be %j', (name, message) => {
    expect(read(personName, name)).toEqual(refused(message));
    expect(read(deviceName, name)).toEqual(refused(message.replace('name', 'device_name')));
    for (const { name: schema } of [addPasskeyFields.shape, manageAddGroup.body.shape]) {
      expect(read(schema, name)).toEqual(refused(message));
    }
  });

  it.each([
    'Acme',
    'Acme & Söhne, Inc.',
    'Booking.example',
    'A/B Testing Ltd.',
    'Acme: the shop',
    'Jean-Luc O’Neill (EU)',
    'شركة',
    '\u{1f469}\u200d\u{1f680} Rockets',
    'news@acme.example',
    'Wwwhat?',
  ])('can be %j', (name) => {
    expect(read(personName, name)).toBe(name);
  });

  it('loses spaces and line feeds around it', () => {
    expect(read(personName, ' Acme\n')).toBe('Acme');
  });
});
