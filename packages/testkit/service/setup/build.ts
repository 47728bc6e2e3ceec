import { build } from '../../../../scripts/build.mjs';

/** Rebuilds everything that tests start and serve, so that no test runs an outdated build. Without changes this is quick. */
export default function buildAll(): void {
  if (!build()) throw new Error('The sources do not build');
}
