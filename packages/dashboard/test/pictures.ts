import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** Where the pictures are that components have to look like. */
export const PICTURES = fileURLToPath(new URL('../components/pictures/', import.meta.url));

/** The screenshots of the docs. */
export const DOCS_IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** Where it is known that a Chromium draws the same averages. Elsewhere, a difference would say nothing about what is drawn. */
export const isMeasured = process.arch === 'x64' || process.arch === 'arm64';
export const unmeasured = isMeasured ? '' : ` (skipped: the pictures were never compared on ${process.arch})`;

/**
 * So many pixels in both directions become one pixel of a stored picture, with their average color. This keeps the files small, and
 * evens out what builds of Chromium draw differently at the edges of letters and lines.
 */
const BLOCK = 8;

/** How much a channel of an average, from 0 to 255, may be off. A line of a pixel that moves to the next block changes it by an eighth of its contrast. */
const TOLERANCE = 6;

/** Averages are stored in steps of this, which makes the files smaller. */
const STEP = 4;

/** A square of this many pixels, by its corner at the top left. */
export type Place = { x: number; y: number; size: number };

const RGBA = 4;
const SMALLEST = { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const;

/** The stored picture of this name, or null. */
export async function storedPicture(name: string, folder = PICTURES): Promise<PNG | null> {
  const path = join(folder, `${name}.png`);
  return existsSync(path) ? PNG.sync.read(await readFile(path)) : null;
}

/** The averages of a screenshot in the docs, or null. */
export async function docsPicture(file: string): Promise<PNG | null> {
  const path = join(DOCS_IMAGES, file);
  return existsSync(path) ? averagesOf(PNG.sync.read(await readFile(path))) : null;
}

export async function storePicture(name: string, screenshot: Buffer, folder = PICTURES): Promise<void> {
  const path = join(folder, `${name}.png`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, PNG.sync.write(averagesOf(PNG.sync.read(screenshot)), SMALLEST));
}

/** Where a screenshot differs from a stored picture, as places in the screenshot. There is at least one if their sizes differ. */
export function differences(screenshot: Buffer, stored: PNG | null): Place[] {
  const averages = averagesOf(PNG.sync.read(screenshot));
  const { width, height } = averages;
  const isOff = (column: number, row: number) => {
    if (!stored || column >= stored.width || row >= stored.height) return true;
    const at = (row * width + column) * RGBA;
    const storedAt = (row * stored.width + column) * RGBA;
    return [0, 1, 2].some((channel) => {
      return Math.abs((averages.data[at + channel] ?? 0) - (stored.data[storedAt + channel] ?? 0)) > TOLERANCE;
    });
  };
  const rows = Array.from({ length: height }, (_, row) => row);
  const columns = Array.from({ length: width }, (_, column) => column);
  const differing = rows.flatMap((row) =>
    columns.filter((column) => isOff(column, row)).map((column) => ({ column, row })),
  );
  const isSmaller = stored !== null && (width < stored.width || height < stored.height);
  const places = isSmaller && differing.length === 0 ? [{ column: width - 1, row: height - 1 }] : differing;
  return places.map(({ column, row }) => ({ x: column * BLOCK, y: row * BLOCK, size: BLOCK }));
}

/** Takes a screenshot until it looks like the stored picture, or stays as it is: charts get their size a moment after the page. */
export async function pictureLike(stored: PNG | null, page: Page, take: () => Promise<Buffer>): Promise<Buffer> {
  let screenshot = await take();
  for (let isSettled = false; differences(screenshot, stored).length > 0 && !isSettled; ) {
    const before = screenshot;
    await page.waitForTimeout(100);
    screenshot = await take();
    isSettled = before.equals(screenshot);
  }
  return screenshot;
}

/** Writes the screenshot, and a copy on which everything but the differences is faded, into a temporary folder, which is returned. */
export async function writeDifference(name: string, screenshot: Buffer, differing: Place[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pictures-'));
  const path = join(folder, name.replaceAll('/', '-'));
  const picture = PNG.sync.read(screenshot);
  for (let at = 0; at < picture.data.length; at += RGBA) picture.data[at + 3] = 64;
  for (const place of differing) {
    for (let y = place.y; y < place.y + place.size; y += 1) {
      for (let x = place.x; x < place.x + place.size; x += 1) {
        const at = (y * picture.width + x) * RGBA;
        picture.data[at] = 255;
        picture.data[at + 3] = 255;
      }
    }
  }
  await writeFile(`${path}.png`, screenshot);
  await writeFile(`${path}-difference.png`, PNG.sync.write(picture));
  return folder;
}

function averagesOf({ width, height, data }: PNG): PNG {
  // What is left at the right and at the bottom is less than a block, and empty.
  const averages = new PNG({ width: Math.floor(width / BLOCK), height: Math.floor(height / BLOCK) });
  const sums = new Uint32Array(averages.width * averages.height * RGBA);
  for (let y = 0; y < averages.height * BLOCK; y += 1) {
    for (let x = 0; x < averages.width * BLOCK; x += 1) {
      const from = (y * width + x) * RGBA;
      const to = (Math.floor(y / BLOCK) * averages.width + Math.floor(x / BLOCK)) * RGBA;
      for (let channel = 0; channel < RGBA; channel += 1) {
        sums[to + channel] = (sums[to + channel] ?? 0) + (data[from + channel] ?? 0);
      }
    }
  }
  for (const [at, sum] of sums.entries()) averages.data[at] = Math.min(Math.round(sum / BLOCK ** 2 / STEP) * STEP, 255);
  return averages;
}
