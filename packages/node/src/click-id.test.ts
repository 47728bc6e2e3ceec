import { describe, expect, it } from 'vitest';
import { type CookieSource, clickIdFrom } from './click-id.ts';

const COOKIE = 'theme=dark; svc_click_id=cust_1_2; other=x';
const standard = new Request('https://shop.test/', { headers: { cookie: COOKIE } });

describe('clickIdFrom', () => {
  it.each<[string, CookieSource]>([
    ['a standard Request, as in Next and Remix', standard],
    ['the request of Express, Fastify and Node', { headers: { cookie: COOKIE } }],
    ['the context of Hono', { req: { raw: standard } }],
    ['what headers() of Next resolves with', standard.headers],
    [
      'what cookies() of Next resolves with',
      { get: (name: string) => (name === 'svc_click_id' ? { value: 'cust_1_2' } : undefined) },
    ],
    ['the headers of Node', { cookie: COOKIE }],
    ['several Cookie headers', { headers: { cookie: ['a=b', 'svc_click_id=cust_1_2'] } }],
    ['a Cookie header', COOKIE],
  ])('finds the click id in %s', (_name, source) => {
    expect(clickIdFrom(source)).toBe('cust_1_2');
  });

  it.each<[string, CookieSource]>([
    ['nothing', undefined],
    ['null', null],
    ['a request without cookies', { headers: {} }],
    ['a standard Request without cookies', new Request('https://shop.test/')],
    ['a store without it', { get: () => undefined }],
    ['another cookie that ends alike', 'not_svc_click_id=cust_1_2'],
    ['an empty cookie', 'svc_click_id='],
    ['a cookie that a visitor has made up', 'svc_click_id="><script>'],
    ['an id with more behind it', 'svc_click_id=cust_1_2_3'],
  ])('is undefined for %s', (_name, source) => {
    expect(clickIdFrom(source)).toBeUndefined();
  });
});
