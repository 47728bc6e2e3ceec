import { expect, it } from 'vitest';
import { custom } from './custom/custom.ts';

// The example that the libraries of Standard Webhooks are tested with.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const raw = Buffer.from('{"test": 2432232314}');
const SIGNED = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const NOW = new Date(1_614_265_330_000);
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const verify = (headers: object, now = NOW, secrets = [SECRET]) =>
  custom.verify({ raw, headers: { ...SIGNED, ...headers } }, secrets, now);

it('accepts what the specification calls signed, by any of the secrets', async () => {
  expect(await verify({})).toEqual({ is: 'signed', by: 0 });
  expect(await verify({}, NOW, ['whsec_AAAA', SECRET])).toEqual({ is: 'signed', by: 1 });
});

it('accepts any of several signatures, as there are while a secret is replaced', async () => {
  const both = `v1,AAAA v1a,BBBB ${SIGNED['webhook-signature']}`;
  expect(await verify({ 'webhook-signature': both })).toEqual({ is: 'signed', by: 0 });
});

it.each([
  ['five minutes early', -300, 'signed'],
  ['more than that', -301, 'mismatch'],
  ['five minutes late', 300, 'signed'],
  ['more than that', 301, 'too_old'],
])('with a clock that is %s: %i s', async (_what, seconds, is) => {
  expect(await verify({}, later(seconds))).toMatchObject({ is });
});

it.each([
  ['no id', { 'webhook-id': undefined }, 'unsigned'],
  ['no time', { 'webhook-timestamp': undefined }, 'unsigned'],
  ['no signature', { 'webhook-signature': undefined }, 'unsigned'],
  ['another id', { 'webhook-id': 'msg_2' }, 'mismatch'],
  ['another time', { 'webhook-timestamp': '1614265331' }, 'mismatch'],
  ['a time that is none', { 'webhook-timestamp': 'now' }, 'mismatch'],
  [
    'a signature of another version',
    { 'webhook-signature': SIGNED['webhook-signature'].replace('v1', 'v2') },
    'mismatch',
  ],
  ['a signature without a version', { 'webhook-signature': SIGNED['webhook-signature'].slice(3) }, 'mismatch'],
  ['an empty signature', { 'webhook-signature': 'v1,' }, 'mismatch'],
])('refuses %s', async (_what, headers, is) => {
  expect(await verify(headers)).toEqual({ is });
});
