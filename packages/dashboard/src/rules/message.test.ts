import { expect, it } from 'vitest';
import { previewOf, resultInWords } from './message.ts';

it('fills in the partner wherever the text names them', () => {
  const jane = { name: 'Jane $& Doe', link: 'https://acme.test/?aff=jane' };
  expect(previewOf('Hello {name},\nshare {link}. {name}!', jane)).toBe(
    'Hello Jane $& Doe,\nshare https://acme.test/?aff=jane. Jane $& Doe!',
  );
});

it('says how many got a message, and why others did not', () => {
  expect(
    resultInWords([
      { outcome: 'no_account', count: 2 },
      { outcome: 'queued', count: 1_180 },
      { outcome: 'unsubscribed', count: 4 },
    ]),
  ).toBe('1,180 sent, 2 not joined yet, 4 unsubscribed');
  expect(resultInWords([])).toBe('0 sent');
});
