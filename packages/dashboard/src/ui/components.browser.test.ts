import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedBrowser } from '@svc/testkit';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { buildComponents } from '../../build.mjs';
import { accessibilityProblems } from '../../test/accessibility.ts';
import { differences, PICTURES, storedPicture, storePicture, writeDifference } from '../../test/pictures.ts';
import { describeInBrowser } from '../../test/stage.ts';

const SECTIONS = ['charts', 'feedback', 'forms', 'layout', 'lists', 'records'];
const APPEARANCES = [
  { appearance: 'wide-light', width: 1280, colorScheme: 'light' },
  { appearance: 'wide-dark', width: 1280, colorScheme: 'dark' },
  { appearance: 'phone-light', width: 375, colorScheme: 'light' },
  { appearance: 'phone-dark', width: 375, colorScheme: 'dark' },
] as const;
const HEIGHT = 900;

/**
 * Every machine has another monospaced font, so code is shown in the bundled one. Letters are placed where the font wants them and
 * not on whole pixels, as some builds of Chromium do, so that lines break in the same places.
 */
const SAME_EVERYWHERE = ':root { --font-mono: "Geist"; text-rendering: geometricPrecision; }';

const ACCEPT = 'If it is meant to look like that, accept it with `npm run pictures` and commit what changes.';

let folder: string;
let context: BrowserContext;
let page: Page;
/** Errors of the page, and requests for what was not built: the page needs no service. */
const problems: string[] = [];

describeInBrowser('the page of all components', () => {
  beforeAll(async () => {
    const found = inject('browser');
    if (!found) return;
    folder = await mkdtemp(join(tmpdir(), 'svc-components-'));
    await buildComponents(folder);
    const browser = await sharedBrowser(found);
    context = await browser.newContext({
      baseURL: 'http://components.test',
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    await context.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname) });
    });
    context.on('weberror', (error) => problems.push(error.error().message));
    context.on('console', (message) => problems.push(message.text()));
    page = await context.newPage();
    await page.clock.setFixedTime(new Date('2026-03-12T10:00:00Z'));
  });

  afterAll(async () => {
    await context?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  // One section at a time: a browser draws the whole page for a picture of a part that is higher than the window.
  describe.each(SECTIONS)('%s', (section) => {
    beforeAll(async () => {
      if (!page) return;
      await page.setViewportSize({ width: 1280, height: HEIGHT });
      await page.goto(`/components/?section=${section}`);
      await vi.waitFor(async () => expect(await incompleteExamples()).toEqual([]), { timeout: 100_000, interval: 100 });
      for (const frame of page.frames()) await makeSame(frame);
      // Frames take the focus from one another while they load.
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    });

    it.each(APPEARANCES)('looks like its picture, $appearance', async ({ appearance, width, colorScheme }) => {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme });
      expect(await differenceOf(section, `${section}/${appearance}`)).toBeNull();
    });

    it('has no accessibility problems', async () => {
      const found = await accessibilityProblems(page);
      // A component that is on the page several times brings the same landmark several times, and rows that are about to be replaced are faded.
      const isExpected = /^landmark-unique|^color-contrast: section\[aria-label="Refreshing plants"\]/;
      expect(found.filter((problem) => !isExpected.test(problem))).toEqual([]);
    });

    it('needs no service and has no errors', () => {
      expect(problems).toEqual([]);
    });
  });

  it('has no other sections and no other pictures', async () => {
    await page.goto('/components/');
    const sections = await page.locator('[data-section]').evaluateAll((all) => all.map(({ id }) => id));
    const stored = await readdir(PICTURES, { recursive: true });
    const expected = SECTIONS.flatMap((section) => APPEARANCES.map(({ appearance }) => `${section}/${appearance}.png`));
    expect(sections).toEqual(SECTIONS);
    expect(stored.filter((name) => name.endsWith('.png')).sort()).toEqual(expected.sort());
  });
});

/** The examples that still load or open. */
async function incompleteExamples(): Promise<string[]> {
  const incomplete = page.frames().map((frame) =>
    frame.evaluate(() => {
      const isFrame = window !== window.top;
      const examples = [...document.querySelectorAll<HTMLElement>('[data-example]')];
      // In a frame, what opens is rendered beside the example.
      const isComplete = (example: HTMLElement) =>
        !example.dataset.until || (isFrame ? document : example).querySelector(example.dataset.until) !== null;
      if (examples.length === 0) return [`${location.search}: nothing yet`];
      return examples
        .filter((example) => !isComplete(example))
        .map((example) => `${location.search}: no ${example.dataset.until}`);
    }),
  );
  return (await Promise.all(incomplete)).flat();
}

async function makeSame(frame: Frame): Promise<void> {
  await frame.addStyleTag({ content: SAME_EVERYWHERE });
  await frame.evaluate(async () => void (await document.fonts.ready));
}

/** What is wrong with the look of a section, or null. Stores its picture if it is to be accepted. */
async function differenceOf(section: string, name: string): Promise<string | null> {
  const stored = await storedPicture(name);
  const take = () => page.locator(`[data-section=${section}]`).screenshot({ animations: 'disabled' });
  let screenshot = await take();
  let differing = differences(screenshot, stored);
  // What floats moves after the page has got another size, so a difference counts once it stays.
  for (let isSettled = false; differing.length > 0 && !isSettled; ) {
    const before = screenshot;
    screenshot = await take();
    isSettled = before.equals(screenshot);
    differing = differences(screenshot, stored);
  }
  if (differing.length === 0) return null;
  if (process.env.SVC_ACCEPT_PICTURES) {
    await storePicture(name, screenshot);
    return null;
  }
  const written = await writeDifference(name, screenshot, differing);
  return `${name}.png differs in ${differing.length} places. See ${written} for how it looks now and where it differs. ${ACCEPT}`;
}
