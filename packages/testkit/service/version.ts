import { readFileSync } from 'node:fs';

/** The version of this release, which all packages have. */
export const { version: VERSION }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** The version as a part of a regular expression. */
export const VERSION_PATTERN = VERSION.replaceAll('.', '\\.');
