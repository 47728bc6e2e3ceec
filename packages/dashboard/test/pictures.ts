import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';

/** Where the pictures are that components have to look like. */
export const PICTURES = fileURLToPath(new URL('../components/pictures/', import.meta.url));

/**
 * So many pixels in both directions become one pixel of a stored picture, with their average color. Other builds of Chromium draw the
 * edges of letters and lines differently, but with as much ink, so that most of the difference is gone in the average.
 */
const BLOCK = 4;

/** How much a channel of an average, from 0 to 255, may be off. */
const TOLERANCE = 16;

/** Averages are stored in steps of this, which makes the files smaller. */
const STEP = 4;

const RGBA = 4;
const SMALLEST = { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 } as const;

/** The stored picture of this name, or null. */
export async function storedPicture(name: string): Promise<PNG | null> {
  const path = join(PICTURES, `${name}.png`);
  return existsSync(path) ? PNG.sync.read(await readFile(path)) : null;
}

export async function storePicture(name: string, screenshot: Buffer): Promise<void> {
  const path = join(PICTURES, `${name}.png`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, PNG.sync.write(averagesOf(PNG.sync.read(screenshot)), SMALLEST));
}

/** What differs between a screenshot and a stored picture, as the indexes of pixels of the stored one; all of them if the size does. */
export function differences(screenshot: Buffer, stored: PNG | null): number[] {
  const averages = averagesOf(PNG.sync.read(screenshot));
  const pixels = Array.from({ length: averages.width * averages.height }, (_, index) => index);
  if (stored?.width !== averages.width || stored.height !== averages.height) return pixels;
  const isOff = (at: number) => Math.abs((averages.data[at] ?? 0) - (stored.data[at] ?? 0)) > TOLERANCE;
  return pixels.filter((index) => [0, 1, 2].some((channel) => isOff(index * RGBA + channel)));
}

/** Writes the screenshot, and a copy on which everything but the differences is faded, into a temporary folder, which is returned. */
export async function writeDifference(name: string, screenshot: Buffer, differing: number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pictures-'));
  const path = join(folder, name.replaceAll('/', '-'));
  const picture = PNG.sync.read(screenshot);
  const columns = Math.floor(picture.width / BLOCK);
  const isDifferent = new Set(differing);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const at = (y * picture.width + x) * RGBA;
      if (isDifferent.has(Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK))) picture.data[at] = 255;
      else picture.data[at + 3] = 64;
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
