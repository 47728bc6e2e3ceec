import { build } from '../../../scripts/build.mjs';

/** Builds the application when its sources have changed. */
export default function buildDashboard(): void {
  if (!build(['compile', 'dashboard'])) throw new Error('The dashboard does not build');
}
