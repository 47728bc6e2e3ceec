import { expect, it } from 'vitest';
import { maskedUrl } from './masked-url.ts';

it.each([
  ['https://hooks.slack.com/services/T00/B00/secretXyZ9', 'https://hooks.slack.com/…XyZ9'],
  ['https://acme.example:8443/hooks/svc?token=abcdefgh', 'https://acme.example:8443/…efgh'],
  ['https://acme.example/hook', 'https://acme.example/…'],
  ['https://acme.example', 'https://acme.example/…'],
])('of %s, everyone may see %s', (url, masked) => expect(maskedUrl(url)).toBe(masked));
