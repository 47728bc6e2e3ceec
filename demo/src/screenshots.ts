// Takes the screenshots of the docs: `npm run screenshots` writes them to docs/images.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService } from '@svc/server/app';
import { readConfig } from '@svc/server/config';
import { findBrowser, freePort, launchBrowser } from '@svc/testkit';
import { ApiCaller, type Session } from './api-caller.ts';
import { addSampleData } from './sample-data.ts';

/** Enough for the tables below the steps of a run. */
const TALL = 1_040;

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
  const pages: [name: string, Session | null, path: string][] = [
    ['overview', brand, `/app/programs/${programId}/overview`],
    ['reports', brand, `/app/programs/${programId}/reports`],
    ['partners', brand, `/app/programs/${programId}/partners`],
    ['commissions', brand, `/app/programs/${programId}/commissions`],
    ['payouts', brand, `/app/programs/${programId}/payouts`],
    ['customer-journey', brand, `/app/programs/${programId}/customers/${customerId}`],
    ['setup-guide', brand, `/app/programs/${programId}/start`],
    ['settings', brand, `/app/programs/${programId}/settings`],
    ['partner-portal', partner, `/app/portal/${programId}/earnings`],
    ['portal-overview', partner, `/app/portal/${programId}/overview`],
    ['sign-in', null, '/app/sign-in'],
    ['api-reference', null, '/docs'],
  ];
  for (const [name, session, path] of pages) await takeScreenshots(name, session, path);
  await payPartners(programId, brand);
} finally {
  await browser.close();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** Takes a payout run from its draft to its settlement, with one payment that fails, and pictures of each step. */
async function payPartners(programId: number, brand: Session): Promise<void> {
  const api = new ApiCaller(service);
  const session = await api.signIn(brand);
  const program = `/programs/${programId}`;
  const page = `/app/programs/${programId}`;
  const ach = {
    company_id: '1234567890',
    company_name: 'Kettle and Grain',
    odfi_routing: '021000021',
    destination_name: 'First Example Bank',
  };
  await api.manage(session, 'PUT', `${program}/payout-settings`, {
    minimum_cents: { USD: 2_500 },
    schedule: { day: 5 },
    payer: { name: 'Kettle and Grain', ach },
  });
  await takeScreenshots('payout-settings', session, `${page}/settings?tab=payouts`, TALL);
  const { data: run } = await api.manage(session, 'POST', `${program}/payout-runs`, {});
  const steps = `${program}/payout-runs/${run.id}`;
  const runPage = `${page}/payouts/runs/${run.id}`;
  await takeScreenshots('payout-run-draft', session, runPage, TALL);
  await takeScreenshots('payout-run-left-out', session, `${runPage}?tab=left-out`, TALL);
  await api.manage(session, 'POST', `${steps}/approve`);
  await takeScreenshots('payout-run-approved', session, runPage, TALL);
  await api.manage(session, 'POST', `${steps}/mark-sent`);
  const failed = { id: run.payouts[0].id, status: 'failed', code: 'R02' };
  await api.manage(session, 'POST', `${steps}/settle`, { payouts: [failed] });
  await takeScreenshots('payout-run-sent', session, runPage, TALL);
}

/** The page on a desktop and on a phone, light and dark. The file without a suffix is the one on a desktop in light. */
async function takeScreenshots(name: string, session: Session | null, path: string, height = 780): Promise<void> {
  for (const [device, viewport] of [
    ['', { width: 1280, height }],
    ['-phone', { width: 390, height }],
  ] as const) {
    const context = await browser.newContext({ viewport, locale: 'en-US', reducedMotion: 'reduce' });
    if (session) await context.addCookies(cookiesOf(session));
    const page = await context.newPage();
    // The API reference takes long on a busy machine.
    page.setDefaultTimeout(120_000);
    await page.goto(url + path);
    await page.getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      const file = `${name}${device}${colorScheme === 'dark' ? '-dark' : ''}.png`;
      await page.screenshot({ path: join(folder, file) });
      console.log(`${file}: ${Math.round((await stat(join(folder, file))).size / 1024)} KB`);
    }
    await context.close();
  }
}

function cookiesOf({ cookie }: Session) {
  return cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url };
  });
}
