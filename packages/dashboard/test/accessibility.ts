import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The violations that axe finds on the current page, one line for each; of all rules, or of those named. What is behind an open dialog,
 * and rows that are built like one before them, are checked in the long version of the suite only: axe needs a second for a list of 25.
 */
export async function accessibilityProblems(page: Page, rules?: string[]): Promise<string[]> {
  const isCovered = !rules && !process.env.SVC_TEST_LONG && (await page.evaluate(hasDialog));
  if (isCovered) return violationsIn(page, DIALOG);
  const hasRepeats = !rules && !process.env.SVC_TEST_LONG && (await page.evaluate(markRepeats));
  return violationsIn(page, hasRepeats ? `{ exclude: ['[data-repeats]'] }` : 'document', rules);
}

/** The violations in the open dialog alone, which takes a fraction of the time. */
export function dialogProblems(page: Page): Promise<string[]> {
  return violationsIn(page, DIALOG);
}

const DIALOG = `'[role=dialog]'`;

/** Runs in the page. */
const hasDialog = () => document.querySelector('[role=dialog]') !== null;

async function violationsIn(page: Page, context: string, rules?: string[]): Promise<string[]> {
  await Promise.all(page.frames().map(loadAxe));
  // Preloading is for pages that play media and for rules that are off.
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${context}, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ')})`),
  );
}

/** Axe looks into frames that have loaded it too. */
async function loadAxe(frame: Frame): Promise<void> {
  const isLoaded = await frame.evaluate(() => 'axe' in window);
  if (!isLoaded) await frame.evaluate(source);
}

/**
 * Runs in the page. Marks rows and list items that have the tags, classes and states of an earlier one in their list, and other
 * texts. Returns whether there are any.
 */
function markRepeats(): boolean {
  const hasContent = /^(id|href|src|for|title|value|datetime)$|^aria-(label|controls|.*by)/;
  const buildOf = (element: Element): string => {
    if (element.ariaHidden === 'true') return element.tagName;
    const attributes = [...element.attributes]
      .filter(({ name }) => name !== 'data-repeats')
      .map(({ name, value }) => `${name}=${hasContent.test(name) ? value !== '' : value}`);
    const children = [...element.childNodes].map((child) =>
      child instanceof Element ? buildOf(child) : child.textContent?.trim() !== '',
    );
    return `<${element.tagName} ${attributes.join(' ')}>${children.join()}</>`;
  };
  const seen = new Map<Element | null, Set<string>>();
  for (const row of document.querySelectorAll('tbody tr, li')) {
    const builds = seen.get(row.parentElement) ?? new Set();
    const build = buildOf(row);
    row.toggleAttribute('data-repeats', builds.has(build));
    seen.set(row.parentElement, builds.add(build));
  }
  return document.querySelector('[data-repeats]') !== null;
}
