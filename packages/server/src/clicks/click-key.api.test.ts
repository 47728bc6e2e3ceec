import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { regenerateKey } from '../programs/regenerate-key.ts';
import { requireRotation } from '../programs/require-rotation.ts';

const service = useService();

const DOCS_URL = 'https://track.test/docs/errors#api_key_rotation_required';
const HINT =
  'Ask a workspace owner to regenerate the key in the dashboard (Settings, API key), then replace it where it is used.';
const landing = (link: string) => `https://acme.test/?aff=${link}`;

/** A program whose key was marked for rotation just now and stops working in a day. */
async function rotating() {
  const created = await service.program();
  const markedAt = service.time;
  const rotateBy = new Date(markedAt.getTime() + 86_400_000);
  await requireRotation(service.ctx, created.program, rotateBy, OPERATOR);
  const warning = {
    code: 'api_key_rotation_required',
    message: 'This API key must be rotated. It stops working at rotate_by.',
    hint: HINT,
    rotate_by: rotateBy.toISOString(),
    docs_url: DOCS_URL,
  };
  const headers = {
    deprecation: `@${markedAt.getTime() / 1000}`,
    sunset: rotateBy.toUTCString(),
    link: `<${DOCS_URL}>; rel="deprecation"`,
  };
  return { ...created, warnings: [warning], headers };
}

describe('a click is recorded despite an Authorization header with', () => {
  it.each([
    ['a token that matches no program', 'Bearer svc_key_unknown'],
    ['an empty token', 'Bearer '],
    ['no token', 'Bearer'],
    ['another scheme', 'Basic abc'],
    ['no scheme', 'nonsense'],
    ['a token that is too long', `Bearer ${'x'.repeat(5000)}`],
  ])('%s', async (_case, authorization) => {
    const { program, link } = await service.program();
    const answer = await service.click({ affiliate_url: landing(link) }, { headers: { authorization } });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).not.toContain('warnings');
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });

  it('the key of another program', async () => {
    const { program, link } = await service.program();
    const other = await service.program();
    const answer = await service.click({ affiliate_url: landing(link) }, { key: other.apiKey });
    expect(answer.status).toBe(200);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
    expect(await service.counts(other.program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });

  it('a key that was replaced', async () => {
    const { program, link, apiKey } = await service.program();
    await regenerateKey(service.ctx, program, OPERATOR);
    expect((await service.click({ affiliate_url: landing(link) }, { key: apiKey })).status).toBe(200);
  });
});

describe('a click with a key under rotation', () => {
  it('is recorded, and the response adds warnings and the headers Deprecation, Sunset and Link', async () => {
    const { link, apiKey, warnings, headers } = await rotating();
    const answer = await service.click({ affiliate_url: landing(link) }, { key: apiKey });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      click_id: expect.stringMatching(/^cust_\d+_\d+$/),
      partner_code: link,
      cookie_window_days: 60,
      warnings,
    });
    expect(answer.headers).toMatchObject(headers);
  });

  it('gets the same headers and warnings with a 400', async () => {
    const { apiKey, warnings, headers } = await rotating();
    const answer = await service.click({}, { key: apiKey });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      ...platformError(400, 'BadRequestError', 'affiliate_url is required'),
      warnings,
    });
    expect(answer.headers).toMatchObject(headers);
  });

  it('gets the same headers and warnings with a 410', async () => {
    const { link, apiKey, warnings, headers } = await rotating();
    await service.sql('update links set active = false where short_link = $1', [link]);
    const answer = await service.click({ affiliate_url: landing(link) }, { key: apiKey });
    expect(answer.status).toBe(410);
    expect(answer.body).toMatchObject({ success: false, error: { code: 'link_disabled' }, warnings });
    expect(answer.headers).toMatchObject(headers);
  });

  it('gets 401 api_key_rotation_required from the deadline on, and is not recorded', async () => {
    const { program, link, apiKey } = await rotating();
    service.advance({ days: 1 });
    for (const extra of [{}, { additional_data: { test_mode: true } }]) {
      const answer = await service.click({ affiliate_url: landing(link), ...extra }, { key: apiKey });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        error: {
          code: 'api_key_rotation_required',
          message: 'This API key passed its rotation deadline and no longer works.',
          hint: HINT,
          docs_url: DOCS_URL,
        },
      });
    }
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, clicks: 0 });
    expect((await service.click({ affiliate_url: landing(link) })).status).toBe(200);
  });
});
