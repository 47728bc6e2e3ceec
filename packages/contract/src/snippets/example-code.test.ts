import { expect, it } from 'vitest';
import { integrationGuide } from './integration.ts';
import { newestPackages } from './packages.ts';

const BASE_URL = 'https://track.test';

/** All code that a program sees. */
function codeFor(tracker?: { link_parameters: string[]; cookie_window_days: number }): string {
  const { click, lead, sale } = integrationGuide(BASE_URL, 7, newestPackages(BASE_URL), tracker);
  return [...click, ...lead, ...sale].flatMap(({ snippets }) => snippets.map(({ code }) => code)).join('\n');
}

it('pages load the tracker that all programs share, unless the program has parameters of its own', () => {
  for (const tracker of [undefined, { link_parameters: [], cookie_window_days: 30 }]) {
    const code = codeFor(tracker);
    expect(code).toContain(`src="${BASE_URL}/js/svc-tracker.js" data-svc-program-id="7"`);
    expect(code).toContain("init({ programId: 7, apiBase: 'https://track.test' });");
    expect(code).not.toContain('svc-tracker-7.js');
  }
});

it.each([
  [['via', '_get'], 60, "linkParameters: ['via', '_get'] });"],
  [['via'], 42, "linkParameters: ['via'], cookieDays: 42 });"],
  [['ref'], 30, "linkParameters: ['ref'], cookieDays: 30 });"],
])('with the parameters %j and %i days, pages load the tracker of the program', (parameters, days, options) => {
  const code = codeFor({ link_parameters: parameters, cookie_window_days: days });
  expect(code).toContain(`src="${BASE_URL}/js/svc-tracker-7.js" data-svc-program-id="7"`);
  expect(code).toContain(`src="${BASE_URL}/js/svc-tracker-stripe-7.js" data-svc-program-id="7"`);
  expect(code).toContain(`init({ programId: 7, apiBase: '${BASE_URL}', ${options}`);
  expect(code).not.toMatch(/svc-tracker(-stripe)?\.js/);
});
