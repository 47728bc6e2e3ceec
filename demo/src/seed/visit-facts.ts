import { chance } from './chance.ts';

// What the pages of visits report. Early values of a list are more frequent than late ones.

const PAGES = [
  '/',
  '/pricing',
  '/',
  '/features',
  '/beans',
  '/kettles',
  '/gifts',
  '/guides/brewing',
  '/guides/grinding',
];
const REFERRERS = [
  '',
  'https://www.google.com/',
  '',
  'https://www.youtube.com/',
  'https://www.instagram.com/',
  'https://www.reddit.com/r/coffee/',
  'https://t.co/abc',
  'https://duckduckgo.com/',
  'https://www.facebook.com/',
  'https://news.ycombinator.com/item?id=1',
  'https://www.bing.com/',
];
const USER_AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
];
const COUNTRIES = 'US DE GB US FR CA NL AU ES IT SE BR IN PL JP AT CH DK NO IE BE MX'.split(' ');
const CAMPAIGNS = [
  'utm_source=newsletter&utm_medium=email&utm_campaign=weekly',
  'utm_source=youtube&utm_medium=video&utm_campaign=review',
  'utm_source=instagram&utm_medium=social&utm_campaign=spring+launch',
  'utm_source=podcast&utm_medium=audio&utm_campaign=episode-12',
  'utm_source=newsletter&utm_medium=email&utm_campaign=black+friday',
  'utm_source=blog&utm_medium=referral&utm_campaign=best-of-2026',
];

const listed = (values: string[]) => `array[${values.map((value) => `'${value}'`).join(', ')}]`;
const chosen = (values: string[], salt: number) =>
  `(${listed(values)})[1 + floor(${values.length} * power(${chance('v.n', salt)}, 2))::int]`;

// Some pages and referrers are one of many that get few visits each.
const PAGE = `case when ${chance('v.n', 20)} < 0.2 then '/blog/post-' || floor(60 * power(${chance('v.n', 21)}, 2)) else ${chosen(PAGES, 22)} end`;
const REFERRER = `case when ${chance('v.n', 23)} < 0.15 then 'https://blog-' || floor(80 * power(${chance('v.n', 24)}, 2)) || '.example/post'
  else ${chosen(REFERRERS, 25)} end`;
const CAMPAIGN = `case when ${chance('v.n', 26)} < 0.35 then '?' || ${chosen(CAMPAIGNS, 27)} else '' end`;

export const VISIT_COLUMNS = 'affiliate_url, referrer_url, user_agent, country, language';

/** The SQL of these columns for visit `v` of a customer of program `g`. */
export const VISIT_VALUES = `'https://' || g.domain || ${PAGE} || ${CAMPAIGN}, ${REFERRER}, ${chosen(USER_AGENTS, 28)},
    ${chosen(COUNTRIES, 29)}, 'en'`;
