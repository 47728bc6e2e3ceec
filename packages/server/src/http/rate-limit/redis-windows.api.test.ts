import { freePort } from '@svc/testkit';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { TestService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

describe('with a REDIS_URL where nothing listens', () => {
  it('the service works, counts in its own memory and says so in its log, once', async () => {
    const service = new TestService();
    await service.open({ SVC_RATE_LIMITS: '', REDIS_URL: `redis://:a-password@127.0.0.1:${await freePort()}` });
    try {
      const { program, link } = await service.program();
      const ip = newAddress();
      const click = () => service.click({ affiliate_url: `https://acme.test/?aff=${link}` }, { ip });
      for (let sent = 0; sent < 60; sent += 1) {
        expect(await click()).toMatchObject({
          status: 200,
          headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(59 - sent) },
        });
      }
      expect(await click()).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
      expect(await service.counts(program.id)).toMatchObject({ clicks: 60 });
      const warnings = service.logLines.filter((line) => line.includes('Redis'));
      expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
        { level: 40, msg: 'Redis does not answer: rate limits are counted by this node alone for now' },
      ]);
      expect(service.logLines.join('')).not.toContain('a-password');
    } finally {
      await service.service.close();
    }
  });
});
