import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; nodes: { target: unknown[]; failureSummary?: string }[] };

/** What an automated check of accessibility finds on the page as it is, a line for each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ')})`),
  );
}
