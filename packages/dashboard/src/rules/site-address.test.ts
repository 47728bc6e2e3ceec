import { expect, it } from 'vitest';
import { likelyAddress, unusualOrigin } from './site-address.ts';

it.each([
  ['localhost:41401', 'http://localhost:41401'],
  [' LOCALHOST:3000/pricing ', 'http://localhost:3000'],
  ['localhost', 'http://localhost'],
  ['shop.localhost:8080', 'http://shop.localhost:8080'],
  ['127.0.0.1:5173', 'http://127.0.0.1:5173'],
  ['https://localhost:8443/', 'https://localhost:8443'],
  ['staging.acme.test:8443', 'https://staging.acme.test:8443'],
  ['http://staging.acme.test:8080', 'http://staging.acme.test:8080'],
])('the website %j keeps its port: %s', (typed, origin) => {
  expect(unusualOrigin(typed)).toBe(origin);
});

it.each(['acme.test', 'https://www.acme.test/about', 'acme.test:443', 'no website', ''])(
  'the website %j is where its name says',
  (typed) => {
    expect(unusualOrigin(typed)).toBeNull();
  },
);

it('a site is looked for where it last reported a click, then where it was set up', () => {
  const local = { domain: 'localhost', allowed_origins: ['http://localhost:41401'], clickOrigin: undefined };
  expect(likelyAddress(local)).toBe('http://localhost:41401');
  expect(likelyAddress({ ...local, clickOrigin: 'http://localhost:3000' })).toBe('http://localhost:3000');
  const live = { domain: 'acme.test', allowed_origins: ['https://shop.example'], clickOrigin: undefined };
  expect(likelyAddress(live)).toBe('https://acme.test');
});
