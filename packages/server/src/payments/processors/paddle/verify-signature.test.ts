import { createHmac } from 'node:crypto';
import { NodeRuntime, Webhooks } from '@paddle/paddle-node-sdk';
import { describe, expect, it } from 'vitest';
import { verifySignature } from './verify-signature.ts';

const SECRET = 'pdl_ntfset_01h_a_secret';
const BODY = '{"event_id":"evt_1","data":{"name":"Zoë"}}';
const NOW = new Date('2026-03-10T12:00:00Z');

const h1 = (seconds: number, secret = SECRET) =>
  `h1=${createHmac('sha256', secret).update(`${seconds}:${BODY}`).digest('hex')}`;

const verify = (header: string, secrets = [SECRET], body = BODY) =>
  verifySignature({ raw: Buffer.from(body), headers: { 'paddle-signature': header } }, secrets, NOW);

/** A header that was signed this many seconds ago. */
const signedBefore = (age: number, secret = SECRET) => {
  const seconds = NOW.getTime() / 1000 - age;
  return `ts=${seconds};${h1(seconds, secret)}`;
};

describe('a signature of Paddle', () => {
  it.each([0, 8, 300, -60])('is accepted after %i seconds', async (age) => {
    expect(await verify(signedBefore(age))).toEqual({ is: 'signed', by: 0 });
  });

  it('is too old after five minutes, which is no mismatch', async () => {
    expect(await verify(signedBefore(301))).toEqual({ is: 'too_old' });
    expect(await verify(signedBefore(301, 'pdl_ntfset_another'))).toEqual({ is: 'mismatch' });
  });

  it.each([
    ['another secret', signedBefore(0, 'pdl_ntfset_another')],
    ['another time', signedBefore(0).replace(/^ts=\d+/, 'ts=1')],
    ['no time', h1(1)],
    ['no signature', 'ts=1'],
    ['something else', 'nothing'],
    ['a part of the signature', signedBefore(0).slice(0, -2)],
  ])('of %s does not fit', async (_what, header) => {
    expect(await verify(header)).toEqual({ is: 'mismatch' });
  });

  it('fits one of several secrets, and one of several signatures', async () => {
    expect(await verify(signedBefore(0), ['pdl_ntfset_another', SECRET])).toEqual({ is: 'signed', by: 1 });
    const seconds = NOW.getTime() / 1000;
    expect(await verify(`ts=${seconds};${h1(seconds, 'pdl_ntfset_new')};${h1(seconds)}`)).toEqual({
      is: 'signed',
      by: 0,
    });
  });

  it('is what Paddle’s own library accepts', async () => {
    NodeRuntime.initialize();
    const seconds = Math.floor(Date.now() / 1000) + 60;
    const header = `ts=${seconds};${h1(seconds)}`;
    expect(await new Webhooks().isSignatureValid(BODY, SECRET, header)).toBe(true);
    expect(await verify(header)).toMatchObject({ is: expect.stringMatching('signed|too_old') });
  });
});
