import { describe, expect, it } from 'vitest';
import { platformError, useService } from '../../../test/service.ts';

const service = useService();

describe('POST /api/v1/track/click', () => {
  it('answers 200 with success, click_id, partner_code and cookie_window_days, and stores customer and click', async () => {
    const { program, link, partnerId } = await service.program({ cookieWindowDays: 45 });
    const { status, body } = await service.click({ affiliate_url: `https://acme.test/?aff=${link}` });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      click_id: expect.stringMatching(/^cust_\d+_\d+$/),
      partner_code: link,
      cookie_window_days: 45,
    });
    const [customer] = await service.sql('select * from customers where program_id = $1', [program.id]);
    expect(customer).toMatchObject({ partner_id: partnerId, status: 'click', is_test: false });
    expect(body.click_id).toBe(`cust_${customer?.id}_${service.time.getTime()}`);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });

  it('400 affiliate_url is required: field absent', async () => {
    const { status, body } = await service.click({});
    expect(status).toBe(400);
    expect(body).toEqual(platformError(400, 'BadRequestError', 'affiliate_url is required'));
  });
});
