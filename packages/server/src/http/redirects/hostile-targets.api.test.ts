import { useService } from '@svc/testkit/service/service.ts';
import { expect, it } from 'vitest';

const service = useService();

const EVIL = 'evil.test';

/** What stands for the slashes before a host, in some browser or server. */
const SLASHES = [
  '//',
  '///',
  '////',
  '\\\\',
  '/\\',
  '\\/',
  '//\\',
  '/\\/',
  '\\\\/',
  '/ /',
  '/\t/',
  '/\n/',
  '/\r\n/',
  '\t//',
  ' //',
]
  .concat([
    '%2f%2f',
    '/%2f',
    '%2f/',
    '/%5c',
    '%5c%5c',
    '%5C/',
    '/%09/',
    '/%0a/',
    '/%0d%0a/',
    '%09//',
    '/%00/',
    '/%2F%2F',
  ])
  .concat([
    '/./',
    '/..//',
    '/.//',
    '/;//',
    '/%2e%2e//',
    '/\u2028/',
    '/\u00a0/',
    '/\uff0f',
    '\uff0f\uff0f',
    '/\u2215',
    '⁄⁄',
    '/\u0085/',
  ]);
const SCHEMES = [
  'https:',
  'http:',
  'HTTPS:',
  'ftp:',
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'data:text/html,',
  'vbscript:',
  'file:',
].concat([
  'blob:https:',
  'about:',
  'mailto:',
  'view-source:https:',
  'ws:',
  'intent:',
  '\u0000https:',
  '\u0001javascript:',
  ' https:',
  '',
]);
const HOSTS = [
  EVIL,
  `acme.test@${EVIL}`,
  `user:password@${EVIL}`,
  `user:password@acme.test`,
  `${EVIL}#acme.test`,
  `${EVIL}\\@acme.test`,
  `${EVIL}?acme.test`,
  `acme.test.${EVIL}`,
  `acmextest`,
  `${EVIL}:443`,
  `[::1]`,
  '0x7f000001',
  'ⓔvil.test',
  'www.acme.test:8443',
];

const TARGETS = [
  ...new Set([
    ...SLASHES.flatMap((slashes) => HOSTS.map((host) => `${slashes}${host}`)),
    ...SCHEMES.flatMap((scheme) => ['//', '', '\\\\'].map((slashes) => `${scheme}${slashes}${EVIL}`)),
    ...SCHEMES.flatMap((scheme) => HOSTS.map((host) => `${scheme}//${host}/path`)),
    ...[
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      '',
      '/',
      '?',
      '#',
      '.',
      '..',
      '@',
      '.evil.test',
      ':80/',
    ],
    ...[
      '/x\r\nLocation: https://evil.test',
      '/x\u0000',
      '/\ud800',
      `/${'x'.repeat(3000)}`,
      `/@${EVIL}`,
      '/;@evil.test',
      '/?//evil.test',
    ],
  ]),
];

/** As it would be sent: encoded once, twice, and with only what a request line cannot hold encoded. */
function spellings(target: string): string[] {
  const safe = target.toWellFormed();
  const bare = safe.replace(/[^\x21-\x7e]|[#&+]/gu, (char) => encodeURIComponent(char));
  return [encodeURIComponent(safe), bare, encodeURIComponent(encodeURIComponent(safe))];
}

it(`of ${TARGETS.length} hostile targets, none leads away from the link’s host`, { timeout: 120_000 }, async () => {
  expect(TARGETS.length).toBeGreaterThanOrEqual(500);
  const made = await service.program({ allowedOrigins: ['http://localhost:3000'] });
  for (const own of ['https://www.acme.test/own?x=1#end', 'http://localhost:3000/own?x=1#end']) {
    await service.sql('update links set destination_url = $2 where short_link = $1', [made.link, own]);
    const locationOf = async (query: string) => {
      const { status, headers } = await service.call('GET', `/r/${made.link}?${query}`);
      expect([query, status]).toEqual([query, 302]);
      return new URL(String(headers.location));
    };
    await expect.poll(async () => (await locationOf('')).origin).toBe(new URL(own).origin);
    for (const target of TARGETS) {
      for (const to of spellings(target)) {
        const led = await locationOf(`to=${to}&to=${to}&aff=${to}`);
        expect({ to, origin: led.origin, user: `${led.username}${led.password}` }).toEqual({
          to,
          origin: new URL(own).origin,
          user: '',
        });
        // Only what is plainly a path leads to another page; everything else, to the link's own.
        const decoded = decodeURIComponent(to.replace(/%(?![0-9a-f]{2})/gi, '%25'));
        const isPath =
          decoded === '/' ||
          (/^\/[^/\\]/.test(decoded) && !/\p{Cc}|\\|^[^?#]*(\/\/|%2f|%5c)/iu.test(decoded) && decoded.length <= 2048);
        if (!isPath) expect([to, led.pathname, led.hash]).toEqual([to, '/own', '#end']);
        expect(led.searchParams.getAll('aff')).toEqual([made.link]);
      }
    }
  }
});

it.each([
  ['a site that the brand no longer allows', 'https://old.example/page?x=1'],
  ['a site with a similar name', 'https://notacme.test/'],
  ['a script', 'javascript:alert(1)'],
  ['a site with a password', 'https://user:password@acme.test/'],
  ['the brand’s site without encryption', 'http://acme.test/'],
  ['nothing that is an address', 'pricing'],
])('a link whose stored destination is %s leads to the program’s site', async (_case, destination) => {
  const made = await service.program();
  await service.sql('update links set destination_url = $2 where short_link = $1', [made.link, destination]);
  const { headers } = await service.call('GET', `/r/${made.link}?to=/pricing`);
  expect(headers.location).toMatch(new RegExp(`^https://acme\\.test/pricing\\?aff=${made.link}`));
  const own = await service.call('GET', `/r/${made.link}`);
  expect(own.headers.location).toMatch(new RegExp(`^https://acme\\.test/\\?aff=${made.link}`));
});

it('a link follows the allowed origins of its program as they change', async () => {
  const made = await service.program({ allowedOrigins: ['https://shop.example'] });
  await service.sql('update links set destination_url = $2 where short_link = $1', [
    made.link,
    'https://shop.example/a',
  ]);
  const origin = async () => new URL(String((await service.call('GET', `/r/${made.link}`)).headers.location)).origin;
  expect(await origin()).toBe('https://shop.example');
  await service.sql(`update programs set allowed_origins = '{}' where id = $1`, [made.program.id]);
  await expect.poll(origin).toBe('https://acme.test');
});
