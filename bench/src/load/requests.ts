import type { LoadPlan, LoadReport } from './plan.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const REFERRER = 'https://blog.partner.example/the-best-tools-of-the-year';

/** The text of a plan's requests. Each has a different IP address, so that no rate limit refuses it. */
export function requestsOf(plan: LoadPlan): (index: number) => string {
  return plan.body.of === 'redirect' ? visitsOf(plan.body.shortLink) : reportsOf(plan, plan.body);
}

/** What a browser sends that opens a short address. */
function visitsOf(shortLink: string): (index: number) => string {
  const head = [
    `GET /r/${shortLink}?utm_source=newsletter HTTP/1.1`,
    'Host: 127.0.0.1',
    `User-Agent: ${BROWSER}`,
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language: en-US,en;q=0.9',
    `Referer: ${REFERRER}`,
    'X-Forwarded-For: ',
  ].join('\r\n');
  return (index) => `${head}${addressOf(index)}\r\n\r\n`;
}

function reportsOf({ apiKey }: LoadPlan, body: LoadReport): (index: number) => string {
  const head = [
    `POST /api/v1/track/${body.of} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    ...(body.of === 'click' ? ['Origin: https://example.com', `User-Agent: ${BROWSER}`] : []),
    ...(apiKey ? [`Authorization: Bearer ${apiKey}`] : []),
    'X-Forwarded-For: ',
  ].join('\r\n');
  const bodyOf = bodiesOf(body);
  return (index) => {
    const text = bodyOf(index);
    return `${head}${addressOf(index)}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  };
}

/** Bodies in plain ASCII, so that their length in characters is their length in bytes. */
function bodiesOf(body: LoadReport): (index: number) => string {
  switch (body.of) {
    case 'click': {
      const click = JSON.stringify(clickBody(body.shortLink));
      return () => click;
    }
    case 'lead':
      return (index) =>
        JSON.stringify({
          click_id: `cust_${body.firstCustomerId + index}_${body.clickedAtMs}`,
          customer_key: `user-${index}`,
          email: `user-${index}@mail.example`,
        });
    case 'sale':
      return (index) =>
        JSON.stringify({
          transaction_id: `order-${index}`,
          customer_key: `buyer-${index}`,
          amount_cents: 4_900 + (index % 100),
          currency: 'USD',
        });
    case 'refund':
      return (index) => JSON.stringify({ transaction_id: `order-${index}` });
  }
}

/** What a browser's tracker sends. */
export function clickBody(shortLink: string) {
  return {
    affiliate_url: `https://example.com/pricing?aff=${shortLink}&utm_source=newsletter`,
    page_url: `https://example.com/pricing?aff=${shortLink}&utm_source=newsletter`,
    page_title: 'Pricing - Example',
    referrer_url: REFERRER,
    session_id: 'a3f1c9d2-7b64-4f0e-9d55-2f1f6f1a7c11',
    user_agent: BROWSER,
    screen_resolution: '1920x1080',
    viewport_size: '1280x720',
    language: 'en-US',
    timezone: 'Europe/Berlin',
  };
}

function addressOf(index: number): string {
  return `10.${(index >>> 16) & 255}.${(index >>> 8) & 255}.${index & 255}`;
}
