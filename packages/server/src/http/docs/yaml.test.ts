import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from './yaml.ts';

it('reads back as the value that it was written from, by the rules of YAML 1.1 and 1.2', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      // There is no negative zero in JSON.
      const json = JSON.parse(JSON.stringify(value));
      for (const version of ['1.1', '1.2'] as const) expect(parse(toYaml(value), { version })).toEqual(json);
    }),
  );
});

it('is YAML for people: names and rows on lines of their own, and texts that cannot mean anything else', () => {
  const value = { on: ['yes', { 'a b': null, id: 'no', empty: {} }], nested: { rows: [[1, 2], []] }, 200: '12:30' };
  expect(toYaml(value)).toBe(`"200": "12:30"
"on":
  - "yes"
  - "a b": null
    id: "no"
    empty: {}
nested:
  rows:
    - - 1
      - 2
    - []
`);
});
