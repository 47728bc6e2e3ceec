import type { Chance } from '../../src/index.ts';

const char = (code: number) => String.fromCharCode(code);

const TEXTS = [
  '',
  ' ',
  char(0),
  `a${char(0)}b`,
  char(0xd800),
  `${char(0xdfff)}x`,
  `${char(0x202e)}abc`,
  `${char(27)}[2J`,
  char(0xfeff),
  'x'.repeat(256),
  'x'.repeat(1_025),
  'x'.repeat(2_049),
  'x'.repeat(20_000),
  '😀'.repeat(200),
  `'; drop table users; --`,
  `" or ""="`,
  '$1',
  '%s%n%x',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'https://user:pass@acme.test:99999/?aff=',
  'https://acme.test/?aff=%',
  'https://acme.test/?aff=a&aff=b',
  'http://[::1',
  '../../../../etc/passwd',
  '%00',
  '%zz',
  '\\',
  '*',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e400',
  '9007199254740993',
  '99999999999999999999999999',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  '2026-03-10T12:00:00.000Z',
  'cust_1_1',
  'cust_99999999999999999999_1',
  'cust_1_99999999999999999999999',
  'svc_key_x',
  'svc_at_x',
  'a@b',
  `${'a'.repeat(300)}@b.test`,
  'EUR',
  'usd',
  'XXX',
  'percent',
  'owner',
];

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  1e-7,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
  Number.MIN_VALUE,
  100.0001,
  99_999,
];

/** Text that no ordinary client would send. */
export const nastyText = (chance: Chance): string => chance.pick(TEXTS);

/** A value of any type. */
export function nastyValue(chance: Chance, depth = 0): unknown {
  switch (chance.below(depth > 3 ? 4 : 8)) {
    case 0:
    case 1:
      return nastyText(chance);
    case 2:
      return chance.pick(NUMBERS);
    case 3:
      return chance.pick([null, true, false]);
    case 4:
      return Array.from({ length: chance.below(4) }, () => nastyValue(chance, depth + 1));
    case 5:
      return chance.pick(oddObjects)();
    case 6:
      return nested(chance.pick([5, 31, 33, 500]));
    default:
      return nastyObject(chance, depth);
  }
}

function nastyObject(chance: Chance, depth: number): Record<string, unknown> {
  const names = ['test_mode', 'program_id', 'metadata', 'id', ...TEXTS];
  const entries = Array.from({ length: chance.below(4) }, (): [string, unknown] => [
    chance.pick(names),
    nastyValue(chance, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** Objects that break code that formats a value, compares it or reads its length. */
const oddObjects: (() => unknown)[] = [
  () => ({ toString: 1 }),
  () => ({ toString: null, valueOf: null }),
  () => ({ toJSON: 'x' }),
  () => ({ length: 2 ** 31 }),
  () => ({ test_mode: true }),
  () => ({ test_mode: true, program_id: 'x' }),
  () => Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index])),
  () => [[[[]]]],
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A cursor in the format of the service, with parts that it would never contain. */
export function nastyCursor(chance: Chance): string {
  const parts = Array.from({ length: chance.below(4) }, () => nastyValue(chance, 3));
  return Buffer.from(JSON.stringify(chance.happens(0.8) ? parts : nastyValue(chance))).toString('base64url');
}
