import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedBrowser } from '@svc/testkit';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { buildComponents } from '../../build.mjs';
import { accessibilityProblems } from '../../test/accessibility.ts';
import {
  differences,
  isMeasured,
  PICTURES,
  type Place,
  storedPicture,
  storePicture,
  unmeasured,
  writeDifference,
} from '../../test/pictures.ts';
import { SAME_EVERYWHERE, writeAlike } from '../../test/same-everywhere.ts';
import { describeInBrowser } from '../../test/stage.ts';

const SECTIONS = ['charts', 'feedback', 'forms', 'layout', 'lists', 'records'];
/** Widths and colors do not depend on one another, so a dark phone would show nothing new. */
const APPEARANCES = [
  { appearance: 'wide-light', width: 1280, colorScheme: 'light' },
  { appearance: 'wide-dark', width: 1280, colorScheme: 'dark' },
  { appearance: 'phone-light', width: 375, colorScheme: 'light' },
] as const;
const HEIGHT = 900;

/** Every machine has another monospaced font, so code is shown in the bundled one. */
const STYLES = `:root { --font-mono: "Geist"; } ${SAME_EVERYWHERE}`;

/** What a person would notice, done to one element of each of these examples. */
const VISIBLE_CHANGES = {
  // Two pixels wider.
  'Button: kinds in both sizes': ['button', 'padding-inline: 17px'],
  'Button: disabled, busy, with an icon': ['svg', 'visibility: hidden'],
  'SelectField: first option, selected, long, disabled': ['label', 'font-weight: 600'],
  // A shade darker.
  CopyButton: ['button', 'background: #f3f4f6'],
  // Half as round.
  'Form, with an error about none of its fields': ['button', 'border-radius: 4px'],
} as const;

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
      const path = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (!path.endsWith('.css')) return route.fulfill({ path });
      return route.fulfill({ contentType: 'text/css', body: readFileSync(path, 'utf8') + STYLES });
    });
    context.on('weberror', (error) => problems.push(error.error().message));
    // A Chromium with a password manager writes hints about forms.
    const isHint = (text: string) => text.startsWith('[DOM] Password');
    context.on('console', (message) => !isHint(message.text()) && problems.push(message.text()));
    await writeAlike(context);
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
      await show(section);
    });

    it.skipIf(!isMeasured).each(APPEARANCES)(
      `looks like its picture, $appearance${unmeasured}`,
      async ({ appearance, width, colorScheme }) => {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme });
        expect(await differenceOf(section, `${section}/${appearance}`)).toBeNull();
      },
    );

    it('needs no service and has no errors', () => {
      expect(problems).toEqual([]);
    });
  });

  // With the long tests only: the pages are checked on every run, with the same components in them.
  it.each(process.env.SVC_TEST_LONG ? SECTIONS : [])('%s has no accessibility problems', async (section) => {
    await show(section);
    const found = await accessibilityProblems(page);
    // A component that is on the page several times brings the same landmark several times, and rows that are about to be replaced are faded.
    const isExpected = /^landmark-unique|^color-contrast: section\[aria-label="Refreshing plants"\]/;
    expect(found.filter((problem) => !isExpected.test(problem))).toEqual([]);
  });

  it.skipIf(!isMeasured)(`finds changes that a person would notice, and names the examples${unmeasured}`, async () => {
    await show('forms');
    await page.emulateMedia({ colorScheme: 'light' });
    for (const [example, [element, style]] of Object.entries(VISIBLE_CHANGES)) {
      const changed = page
        .locator('.examples > div', { has: page.getByText(example, { exact: true }) })
        .locator(element);
      await changed.first().evaluate((it, css) => it.setAttribute('style', css), style);
    }
    const differing = differences(await screenshotOf('forms'), await storedPicture('forms/wide-light'));
    expect(await examplesAt('forms', differing)).toEqual(Object.keys(VISIBLE_CHANGES));
  });

  it('has no other sections and no other pictures', async () => {
    const sections = await page.locator('.components > p > a').allTextContents();
    const stored = await readdir(PICTURES, { recursive: true });
    const expected = SECTIONS.flatMap((section) => APPEARANCES.map(({ appearance }) => `${section}/${appearance}.png`));
    expect(sections).toEqual(SECTIONS);
    expect(stored.filter((name) => name.endsWith('.png')).sort()).toEqual(expected.sort());
  });
});

/** Shows one section in a wide window, with everything loaded and open. */
async function show(section: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await page.goto(`/components/?section=${section}`);
  await vi.waitFor(async () => expect(await incompleteExamples()).toEqual([]), { timeout: 100_000, interval: 100 });
  for (const frame of page.frames()) await frame.evaluate(async () => void (await document.fonts.ready));
  // Frames take the focus from one another while they load.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
}

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

/** What is wrong with the look of a section, or null. Stores its picture if it is to be accepted. */
async function differenceOf(section: string, name: string): Promise<string | null> {
  const stored = await storedPicture(name);
  let screenshot = await screenshotOf(section);
  let differing = differences(screenshot, stored);
  // What floats moves after the page has got another size, so a difference counts once it stays.
  for (let isSettled = false; differing.length > 0 && !isSettled; ) {
    const before = screenshot;
    screenshot = await screenshotOf(section);
    isSettled = before.equals(screenshot);
    differing = differences(screenshot, stored);
  }
  if (differing.length === 0) return null;
  if (process.env.SVC_ACCEPT_PICTURES) {
    await storePicture(name, screenshot);
    return null;
  }
  const examples = (await examplesAt(section, differing)).map((example) => `“${example}”`);
  const written = await writeDifference(name, screenshot, differing);
  return `${name}.png differs in ${examples.join(', ')}. See ${written} for how it looks now and where it differs. ${ACCEPT}`;
}

const screenshotOf = (section: string) =>
  page.locator(`[data-section=${section}]`).screenshot({ animations: 'disabled' });

/** The names of the examples that these places of a section belong to. */
async function examplesAt(section: string, places: Place[]): Promise<string[]> {
  return await page.locator(`[data-section=${section}]`).evaluate((element, all) => {
    const origin = element.getBoundingClientRect();
    const examples = [...element.querySelectorAll('.examples > div')].filter((example) => {
      const { left, right, top, bottom } = example.getBoundingClientRect();
      return all.some(({ x, y, size }) => {
        const [fromLeft, fromTop] = [x + origin.left, y + origin.top];
        return fromLeft < right && fromLeft + size > left && fromTop < bottom && fromTop + size > top;
      });
    });
    const names = examples.map((example) => example.querySelector(':scope > p')?.textContent ?? '');
    return names.length > 0 ? names : ['the page around the examples'];
  }, places);
}
