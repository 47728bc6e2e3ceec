import { BaseSequencer, type TestSpecification } from 'vitest/node';

const MOSTLY_WAITS = /\.(process|browser)\.test\.ts$/;

/** Files that mostly wait are the longest ones, so the last of them starts when this share of the others has. */
const ALL_STARTED_AT = 0.8;

/**
 * Runs the projects one after the other and large files first, like the default. Files that mostly wait for a process or
 * a browser are spread among those that compute, so that the processors always have something to do.
 */
export class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => mix(sorted.filter((file) => file.project === project)));
  }
}

function mix(files: TestSpecification[]): TestSpecification[] {
  const waiting = files.filter(({ moduleId }) => MOSTLY_WAITS.test(moduleId));
  const computing = files.filter(({ moduleId }) => !MOSTLY_WAITS.test(moduleId));
  const placed = [
    ...waiting.map((file, index) => ({ file, at: (index / waiting.length) * ALL_STARTED_AT })),
    ...computing.map((file, index) => ({ file, at: index / computing.length })),
  ];
  return placed.sort((one, other) => one.at - other.at).map(({ file }) => file);
}
