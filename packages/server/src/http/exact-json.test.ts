import { expect, it } from 'vitest';
import { exactJson } from './exact-json.ts';

it('writes whole numbers of any size exactly, and everything else as usual', () => {
  const value = { sum: 27_021_597_764_222_973n, owed: -9_223_372_036_854_775_808_000n, small: 5, text: '5n "x"' };
  expect(exactJson({ data: [value, null] })).toBe(
    '{"data":[{"sum":27021597764222973,"owed":-9223372036854775808000,"small":5,"text":"5n \\"x\\""},null]}',
  );
  expect(exactJson({ a: [1, 'b'], c: undefined })).toBe('{"a":[1,"b"]}');
});

it('fails on what cannot be written', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(() => exactJson(circle)).toThrow(TypeError);
});
