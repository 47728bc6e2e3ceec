import { describe, expect, it } from 'vitest';
import { browserOf, sumClickAges } from './click-ages.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko)';

describe('browserOf', () => {
  it.each([
    ['safari', `${MAC} Version/18.5 Safari/605.1.15`],
    ['safari', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
    // Safari inside, with its limits for cookies.
    ['safari', `${IPHONE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`],
    ['safari', `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
    ['safari', `${IPHONE} Version/18.0 EdgiOS/140.0 Mobile/15E148 Safari/604.1`],
    ['chrome', `${WINDOWS} Chrome/140.0.0.0 Safari/537.36`],
    ['chrome', `${ANDROID} Chrome/140.0.0.0 Mobile Safari/537.36`],
    ['edge', `${WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
    ['edge', `${ANDROID} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`],
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'],
    ['other', `${WINDOWS} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`],
    ['other', `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
    ['other', 'curl/8.14.1'],
    ['other', null],
  ])('is %s for %s', (browser, userAgent) => {
    expect(browserOf(userAgent)).toBe(browser);
  });
});

describe('sumClickAges', () => {
  it('puts each age into one column, and signups without a browser under other', () => {
    const chrome = `${WINDOWS} Chrome/140.0.0.0 Safari/537.36`;
    const olderChrome = `${WINDOWS} Chrome/139.0.0.0 Safari/537.36`;
    const found = [0, 1, 7, 8, 30, 31, 400].map((days, index) => ({
      userAgent: index % 2 ? chrome : olderChrome,
      isRelayed: false,
      days,
      signups: 10 ** index,
    }));
    expect(sumClickAges([...found, { userAgent: null, isRelayed: true, days: 3, signups: 2 }])).toEqual([
      {
        ...{ browser: 'chrome', isRelayed: false, signups: 1_111_111 },
        ...{ sameDay: 1, upTo7: 110, upTo30: 11_000, older: 1_100_000 },
      },
      { browser: 'other', isRelayed: true, signups: 2, sameDay: 0, upTo7: 2, upTo30: 0, older: 0 },
    ]);
  });
});
