// Takes the screenshots of the docs: `npm run screenshots` writes them to docs/images.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService } from '@svc/server/app';
import { readConfig } from '@svc/server/config';
import { findBrowser, freePort, launchBrowser } from '@svc/testkit';
import type { Session } from './api-caller.ts';
import { addSampleData } from './sample-data.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const { found, tried } = await findBrowser();
if (!found) throw new Error(`No Chromium starts here.\n${tried.join('\n')}`);

const dataDir = await mkdtemp(join(tmpdir(), 'svc-screenshots-'));
const port = await freePort();
const url = `http://localhost:${port}`;
let now = new Date();
const config = readConfig({
  PORT: String(port),
  SVC_DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  SVC_RATE_LIMITS: 'click=1000000,lead=1000000,sale=1000000,readiness=1000000,cli=1000000,manage=1000000',
});
const service = await createService(config, { now: () => new Date(now), runJobs: false });
await service.http.listen({ port, host: 'localhost' });
const browser = await launchBrowser(found);
try {
  const { programId, brand, partner, customerId } = await addSampleData(
    service,
    { set: (at) => (now = at) },
    new Date(),
  );
  await mkdir(folder, { recursive: true });
  await takeScreenshot('overview', brand, `/app/programs/${programId}/overview`);
  await takeScreenshot('commissions', brand, `/app/programs/${programId}/commissions`);
  await takeScreenshot('customer-journey', brand, `/app/programs/${programId}/customers/${customerId}`);
  await takeScreenshot('partner-portal', partner, `/app/portal/${programId}/earnings`);
} finally {
  await browser.close();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function takeScreenshot(name: string, { cookie }: Session, path: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 780 },
    colorScheme: 'light',
    locale: 'en-US',
  });
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const [cookieName = '', ...value] = pair.split('=');
      return { name: cookieName, value: value.join('='), url };
    }),
  );
  const page = await context.newPage();
  await page.goto(url + path, { waitUntil: 'networkidle' });
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  console.log(`${name}.png: ${Math.round((await stat(file)).size / 1024)} KB`);
}
