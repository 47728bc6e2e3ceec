import type { TestProject } from 'vitest/node';
// Imported by path: setup files run before packages are built and do not use the `source` condition of the tests.
import { type FoundBrowser, findBrowser } from '../../testkit/src/browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browser: FoundBrowser | null;
  }
}

/** Finds the browser once for all test files, and prints which one it is or why there is none. */
export default async function setup(project: TestProject): Promise<void> {
  const { found, tried } = await findBrowser();
  project.provide('browser', found);
  const reasons = tried.map((reason) => `\n  ${reason}`).join('');
  console.log(
    found
      ? `Browser tests run in Chromium ${found.version} (${found.executablePath}).`
      : `Browser tests are skipped: no Chromium starts here.${reasons}\n  Install one (apt-get install chromium chromium-headless-shell) or set SVC_TEST_BROWSER to its path.`,
  );
}
