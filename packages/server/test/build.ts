import { build } from '../../../scripts/build.mjs';

/**
 * Brings what tests start and serve up to date with the sources: the compiled packages, the service, the empty store, the
 * tracker and the command. A test never runs an older build; where nothing changed this takes a moment.
 */
export default function buildAll(): void {
  if (!build(['compile', 'service', 'store', 'tracker', 'cli'])) throw new Error('The sources do not build');
}
