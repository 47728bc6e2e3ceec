import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));
const naming = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

it('text is shown as text: no page writes HTML or runs code that it has put together', () => {
  expect(naming(/dangerouslySetInnerHTML|\.(?:inner|outer)HTML|insertAdjacentHTML|\beval\(|new Function\(/)).toEqual(
    [],
  );
});

it('pasting is not blocked anywhere', () => {
  expect(naming(/onPaste|onCopy|'paste'/)).toEqual([]);
});

it('fields for passwords are masked, and password managers can fill them', () => {
  // A field is a component with a label; its attributes end before the tag is closed.
  const fields = files.flatMap(({ path, text }) =>
    [...text.matchAll(/<TextField\b[^<]*?\/>/g)]
      .map(([field]) => field)
      .filter((field) => /(?:label|name)="[^"]*password[^"]*"/i.test(field))
      .map((field) => ({ path, field })),
  );
  expect(fields.length).toBeGreaterThanOrEqual(4);
  const wrong = fields.filter(({ field }) => !(field.includes('type="password"') && /autoComplete=/.test(field)));
  expect(wrong).toEqual([]);
});

it('the browser stores how lists and pages look, and nothing about people, money or sign-ins', () => {
  expect(naming(/localStorage|sessionStorage|indexedDB|document\.cookie/).sort()).toEqual([
    // Whose portal this tab shows. Its token is worth nothing without the session of the user.
    'api/viewing.ts',
    // When the page last reloaded itself.
    'app/routes/page-loading.ts',
    // Which of their links a partner shares.
    'features/portal/your-link.tsx',
    // Where the site runs while it is set up.
    'features/setup/test-link.tsx',
    'ui/layout/theme.ts',
    // The last bulk action whose result was dismissed.
    'ui/lists/bulk-progress.tsx',
    'ui/lists/column-menu.tsx',
    'ui/lists/page-size.ts',
  ]);
});
