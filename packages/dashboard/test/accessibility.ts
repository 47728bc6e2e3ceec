import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; nodes: { target: unknown[]; failureSummary?: string }[] };

/** The accessibility violations that axe finds on the current page, one line for each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ')})`),
  );
}
