import type { BrowserContext } from 'playwright-core';

/**
 * Letters are placed where the font wants them and not on whole pixels, as some builds of Chromium do; form controls do not inherit
 * this. Builds also draw the corner that resizes a text area differently. What has the focus can depend on what opened last.
 */
export const SAME_EVERYWHERE = `
  *, ::before, ::after { text-rendering: geometricPrecision !important; }
  textarea { resize: none !important; }
  :focus-visible { outline: none !important; }
`;

/** Lets pages of the profile write what every machine draws alike. */
export async function writeAlike(context: BrowserContext): Promise<void> {
  await context.addInitScript(writePlainSpaces);
}

/** Runs in the page. The bundled font has no thin space, which dates contain, and every machine takes it from another font. */
function writePlainSpaces(): void {
  const { formatRange } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatRange = function (...dates) {
    return formatRange.apply(this, dates).replaceAll('\u2009', ' ');
  };
}
