import { build } from '../../../scripts/build.mjs';

/**
 * Rebuilds everything that tests start and serve: the compiled packages, the service, the empty store, the packages and
 * the command. A test never runs an outdated build; without changes this is quick.
 */
export default function buildAll(): void {
  if (!build(['compile', 'service', 'store', 'tracker', 'node', 'cli'])) throw new Error('The sources do not build');
}
