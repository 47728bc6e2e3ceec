import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; nodes: { target: unknown[]; failureSummary?: string }[] };

/** The violations that axe finds on the current page, one line for each; of all rules, or of those named. */
export async function accessibilityProblems(page: Page, rules?: string[]): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary?.replace(/\s+/g, ' ')})`),
  );
}
