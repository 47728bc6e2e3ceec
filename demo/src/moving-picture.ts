// Makes the moving picture of the README from the demo: `npm run moving-picture` writes docs/images/tour.webp.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findBrowser, launchBrowser } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { animatedWebp, type Frame } from './animated-webp.ts';
import { PASSWORD } from './api-caller.ts';
import { readLedger } from './ledger-store.ts';
import { startDemo } from './start-demo.ts';

const file = fileURLToPath(new URL('../../docs/images/tour.webp', import.meta.url));
const VIEW = { width: 1200, height: 720 };
const CAPTION = 56;
const SIZE = { width: VIEW.width, height: VIEW.height + CAPTION };
const MAX_BYTES = 1_000_000;
const QUALITY = 72;

const { found, tried } = await findBrowser();
if (!found) throw new Error(`No Chromium starts here.\n${tried.join('\n')}`);
const demo = await startDemo({ service: 0, shop: 0 });
const browser = await launchBrowser(found);
try {
  const context = await browser.newContext({ viewport: VIEW, locale: 'en-US', reducedMotion: 'reduce' });
  const shop = await context.newPage();
  const dashboard = await context.newPage();
  const easel = await context.newPage();
  const frames: Frame[] = [];
  const show = async (page: Page, caption: string, milliseconds = 2600) => {
    await page.waitForLoadState('networkidle');
    await page.evaluate('document.fonts.ready');
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    frames.push({ webp: await encode(easel, png, caption), milliseconds });
  };

  await shop.goto(demo.shopUrl);
  await shop.getByText('Follow Jane’s link').last().click();
  await shop.locator('#ledger').getByText('Through Jane Miller').first().waitFor();
  await show(shop, 'A visitor follows Jane’s link to your shop. The click is recorded.');
  await shop.getByLabel('Email').fill('ann@example.com');
  await shop.getByRole('button', { name: 'Sign up' }).click();
  await shop.locator('#ledger').getByText('a***@example.com').first().waitFor();
  await shop.getByRole('button', { name: 'Buy' }).last().click();
  await shop.locator('#ledger').getByText('$17.80 for Jane Miller').first().waitFor();
  await show(shop, 'She signs up and buys for $89.00. Jane earns 20%.');
  await shop.getByRole('button', { name: 'Refund half' }).click();
  await shop.locator('#ledger').getByText('$8.90 for Jane Miller').first().waitFor();
  await show(shop, 'Half is refunded, and exactly half of the commission goes with it.');

  await dashboard.goto(demo.serviceUrl);
  await dashboard.getByLabel('Email', { exact: true }).fill(demo.email);
  await dashboard.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dashboard.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dashboard.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const visit = async (path: string, heading: string) => {
    await dashboard.goto(`${demo.serviceUrl}/app/programs/${demo.programId}/${path}`);
    await dashboard.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  await visit('reports', 'Reports');
  await show(dashboard, 'The dashboard shows what partners bring in.');
  const { customers } = await readLedger(demo.service.ctx.db, demo.programId, demo.startedAt);
  await dashboard.goto(`${demo.serviceUrl}/app/programs/${demo.programId}/customers/${customers[0]?.id}`);
  await dashboard
    .getByText(/refund/i)
    .first()
    .waitFor();
  await show(dashboard, 'Every customer has a journey, and every decision a reason.');
  await visit('commissions', 'Commissions');
  await show(dashboard, 'Approve commissions, or let the hold end.');
  await visit('payouts', 'Payouts');
  await show(dashboard, 'Pay partners with files for banks, PayPal and Wise.', 3400);

  const picture = animatedWebp(frames, SIZE);
  if (picture.length > MAX_BYTES) throw new Error(`The picture has ${picture.length} bytes, more than ${MAX_BYTES}`);
  await writeFile(file, picture);
  console.log(`${file}: ${frames.length} frames, ${Math.round(picture.length / 1024)} KB`);
} finally {
  await browser.close();
  await demo.close();
}

/** The screenshot with a line below that says what happens, as the browser encodes it. */
async function encode(easel: Page, png: Buffer, caption: string): Promise<Buffer> {
  await easel.setViewportSize(SIZE);
  await easel.setContent(`<style>
    body { margin: 0; background: #14171c; }
    img { display: block; }
    p { margin: 0 28px; color: #fff; font: 500 22px/${CAPTION}px system-ui, sans-serif; }
  </style><img src="data:image/png;base64,${png.toString('base64')}"><p>${caption}</p>`);
  const browserSession = await easel.context().newCDPSession(easel);
  const { data } = await browserSession.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await browserSession.detach();
  return Buffer.from(data, 'base64');
}
