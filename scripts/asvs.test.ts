import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');

/** The rows of all tables: the number of the requirement, its state, and the files that show it. */
const rows = [...PAGE.matchAll(/^\| (\d+\.\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, id = '', state = '', shown = '']) => ({
    id,
    state: state.replaceAll('*', ''),
    shown,
    files: [...shown.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, file = '']) => file),
  }),
);
const applying = rows.filter(({ state }) => state !== 'does not apply');

/** How many requirements of the levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

it('every requirement of levels 1 and 2 has one row', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const counts = REQUIREMENTS.map((_, index) => rows.filter(({ id }) => id.startsWith(`${index + 1}.`)).length);
  expect(counts).toEqual(REQUIREMENTS);
});

it('every requirement has a state, and files or a reason', () => {
  const unclear = rows.filter(({ state, shown, files }) => {
    if (state === 'met') return files.length === 0;
    return !['not met', 'does not apply'].includes(state) || shown.trim() === '';
  });
  expect(unclear).toEqual([]);
});

it('every file that a row names exists', () => {
  const places = [ROOT, join(ROOT, 'packages/server/src')];
  const missing = rows.flatMap(({ id, files }) =>
    files.filter((file) => !places.some((place) => existsSync(join(place, file)))).map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
});

it('tests show at least 80% of the requirements that apply', () => {
  const isTested = (file: string) => /\.test\.tsx?$/.test(file);
  const tested = applying.filter(({ state, files }) => state === 'met' && files.some(isTested));
  expect(tested.length / applying.length).toBeGreaterThanOrEqual(0.8);
});
