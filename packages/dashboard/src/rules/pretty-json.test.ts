import { expect, it } from 'vitest';
import { prettyJson } from './pretty-json.ts';

it('JSON gets line breaks, and other text stays as it is', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyJson('<html>')).toBe('<html>');
});
