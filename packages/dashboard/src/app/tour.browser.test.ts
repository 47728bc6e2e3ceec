import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLedger } from '../../../../demo/src/ledger-store.ts';
import { ShopBackend } from '../../../../demo/src/shop-backend.ts';
import { createShopServer } from '../../../../demo/src/shop-server.ts';
import { animatedWebp } from '../../test/animated-webp.ts';
import type { Person } from '../../test/person.ts';
import {
  DOCS_IMAGES,
  differences,
  isMeasured,
  pictureLike,
  storedPicture,
  storePicture,
  unmeasured,
  writeDifference,
} from '../../test/pictures.ts';
import { SAME_EVERYWHERE } from '../../test/same-everywhere.ts';
import { NOW, ORIGIN, SampleStage, untilDrawn } from '../../test/sample-stage.ts';
import { describeInBrowser } from '../../test/stage.ts';

const SHOP = 'https://kettle-and-grain.example';
const LINK = 'coffee-notes';
const MINUTE = 60_000;
/** The dashboard is opened a while after the visit to the shop. */
const LATER = new Date(NOW.getTime() + 15 * MINUTE);

const VIEW = { width: 1200, height: 720 };
const CAPTION = 56;
const SIZE = { width: VIEW.width, height: VIEW.height + CAPTION };
const MAX_BYTES = 1_000_000;
const QUALITY = 72;

const PICTURE = join(DOCS_IMAGES, 'tour.webp');
/** How each frame looks, blurred like the pictures of components. */
const FRAMES = join(DOCS_IMAGES, 'tour');
const ACCEPT = 'If it is meant to look like that, make it again with `npm run moving-picture` and commit what changes.';

const require = createRequire(import.meta.url);
const fromServer = createRequire(new URL('../../../server/package.json', import.meta.url));
/** The shop uses the fonts of the machine. Here it has the same ones everywhere. */
const FONTS: Record<string, Buffer> = {
  '/fonts/text.woff2': readFileSync(require.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')),
  '/fonts/heading.ttf': readFileSync(fromServer.resolve('dejavu-fonts-ttf/ttf/DejaVuSerif-Bold.ttf')),
  '/fonts/code.ttf': readFileSync(fromServer.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')),
};
const TEXT = `data:font/woff2;base64,${FONTS['/fonts/text.woff2']?.toString('base64')}`;
const STYLES = `
  @font-face { font-family: "Text of the tour"; font-weight: 100 900; src: url("/fonts/text.woff2"); }
  @font-face { font-family: "Heading of the tour"; src: url("/fonts/heading.ttf"); }
  @font-face { font-family: "Code of the tour"; src: url("/fonts/code.ttf"); }
  * { font-family: "Text of the tour", "Code of the tour" !important; }
  h1, h2, .brand, .brand *, .avatar, .product h3 { font-family: "Heading of the tour" !important; }
  code { font-family: "Code of the tour" !important; }
  ${SAME_EVERYWHERE}`;

type Frame = { name: string; webp: Buffer; milliseconds: number };

const stage = new SampleStage();
let server: Server;
let person: Person;
let shop: Page;
let easel: Page;

describeInBrowser('the moving picture of the README', () => {
  beforeAll(async () => {
    await stage.open(0.3);
    const { service, sample } = stage;
    const serviceUrl = await service.service.http.listen({ port: 0, host: '127.0.0.1' });
    let made = 0;
    const newId = () => (0x5c1d_7a30 + 0x0c0f_fee1 * made++).toString(16);
    server = createShopServer({
      serviceUrl: ORIGIN,
      programId: sample.programId,
      shortLink: LINK,
      backend: new ShopBackend(serviceUrl, sample.apiKey, newId),
      readLedger: () => readLedger(service.ctx.db, sample.programId, NOW),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    person = await stage.signedIn(sample.brand, VIEW, LATER);
    const { context } = person;
    await context.route(`${SHOP}/**`, answerFromShop);
    shop = await context.newPage();
    await shop.clock.setFixedTime(NOW);
    easel = await context.newPage();
    await easel.setViewportSize(SIZE);
  });

  afterAll(async () => {
    await stage.close();
    server?.closeAllConnections();
    server?.close();
  });

  it.skipIf(!isMeasured)(`shows the demo and the pages as they are${unmeasured}`, async () => {
    const { page } = person;
    const { programId } = stage.sample;
    const frames: Frame[] = [];
    const outdated: string[] = [];
    const show = async (name: string, shown: Page, caption: string, milliseconds = 2600) => {
      // A button that was just redrawn under the pointer may look hovered or not.
      await shown.mouse.move(0, 0);
      await untilDrawn(shown);
      const stored = await storedPicture(name, FRAMES);
      const picture = await pictureLike(stored, shown, () => paint(shown, caption));
      frames.push({ name, webp: await asWebp(easel), milliseconds });
      const differing = differences(picture, stored);
      if (process.env.SVC_ACCEPT_PICTURES) await storePicture(name, picture, FRAMES);
      else if (differing.length > 0) outdated.push(`${name}, see ${await writeDifference(name, picture, differing)}`);
    };
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    const visit = async (path: string, shown: Locator) => {
      await person.goTo(`/app/programs/${programId}/${path}`);
      await shown.waitFor();
      await person.untilLoaded();
    };

    await shop.goto(SHOP);
    await shop.getByText('Follow Jane’s link').last().click();
    await recorded('Through Jane Miller');
    await show('click', shop, 'A visitor follows Jane’s link to your shop. The click is recorded.');
    stage.service.advance({ seconds: 120 });
    await shop.getByLabel('Email').fill('ann@example.com');
    await shop.getByRole('button', { name: 'Sign up' }).click();
    await recorded('a***@example.com');
    stage.service.advance({ seconds: 60 });
    await shop.getByRole('button', { name: 'Buy' }).last().click();
    await recorded('$17.80 for Jane Miller');
    await shop.getByRole('button', { name: 'Refund half' }).waitFor();
    await show('sale', shop, 'She signs up and buys for $89.00. Jane earns 20%.');
    stage.service.advance({ seconds: 540 });
    await shop.getByRole('button', { name: 'Refund half' }).click();
    await recorded('$8.90 for Jane Miller');
    await show('refund', shop, 'Half is refunded, and exactly half of the commission goes with it.');
    await shop.close();

    stage.service.time = LATER;
    await visit('reports', heading('Reports'));
    await show('reports', page, 'The dashboard shows what partners bring in.');
    const { customers } = await readLedger(stage.service.ctx.db, programId, NOW);
    await visit(`customers/${customers[0]?.id}`, page.getByText(/refund/i).first());
    await show('journey', page, 'Every customer has a journey, and every decision a reason.');
    await visit('commissions', heading('Commissions'));
    await show('commissions', page, 'Approve commissions, or let the hold end.');
    await visit('payouts', heading('Payouts'));
    await show('payouts', page, 'Pay partners with files for banks, PayPal and Wise.', 3400);

    const picture = animatedWebp(frames, SIZE);
    expect(picture.length).toBeLessThan(MAX_BYTES);
    if (process.env.SVC_ACCEPT_PICTURES) await writeFile(PICTURE, picture);
    expect(outdated.map((frame) => `${frame}. ${ACCEPT}`)).toEqual([]);
    expect((await readdir(FRAMES)).sort()).toEqual(frames.map(({ name }) => `${name}.png`).sort());
    expect(person.problems).toEqual([]);
  });
});

/** Waits until the panel next to the shop shows this text. */
async function recorded(text: string): Promise<void> {
  await shop.locator('#ledger').getByText(text).first().waitFor();
}

async function answerFromShop(route: Route): Promise<void> {
  const request = route.request();
  const { pathname, search } = new URL(request.url());
  const font = FONTS[pathname];
  if (font) return route.fulfill({ body: font });
  const { port } = server.address() as AddressInfo;
  const { cookie = '' } = await request.allHeaders();
  const reply = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
    method: request.method(),
    headers: { cookie },
    ...(request.postData() !== null && { body: request.postData() }),
  });
  const body = await reply.text();
  return route.fulfill({
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: pathname.endsWith('.css') ? body + STYLES : body,
  });
}

/** Puts a screenshot of the page on the easel, with a line below that says what happens, and returns how that looks. */
async function paint(shown: Page, caption: string): Promise<Buffer> {
  const png = await shown.screenshot({ animations: 'disabled', caret: 'hide' });
  await easel.setContent(`<style>
    @font-face { font-family: Caption; font-weight: 100 900; src: url("${TEXT}"); }
    body { margin: 0; background: #14171c; }
    img { display: block; }
    p { margin: 0 28px; color: #fff; font: 500 22px/${CAPTION}px Caption; text-rendering: geometricPrecision; }
  </style><img src="data:image/png;base64,${png.toString('base64')}"><p>${caption}</p>`);
  await untilDrawn(easel);
  return easel.screenshot();
}

/** What is on the page, as the browser encodes it. */
async function asWebp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  return Buffer.from(data, 'base64');
}
