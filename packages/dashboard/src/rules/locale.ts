/**
 * English as it is written in the region of a browser: the pages are in English, and so are the dates and numbers in them, while
 * the order of day and month and the clock are the ones that the viewer is used to.
 */
export function englishIn(browserLocale: string): string {
  const locale = new Intl.Locale(browserLocale);
  if (locale.language === 'en') return browserLocale;
  const { region } = locale.maximize();
  return region ? `en-${region}` : 'en';
}

/** The locale of all dates and numbers on the pages. */
export const pageLocale = englishIn(new Intl.DateTimeFormat().resolvedOptions().locale);
