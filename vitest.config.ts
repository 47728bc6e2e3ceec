import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { MixedSequencer } from './scripts/mixed-sequencer.ts';

const onBothStores = 'packages/*/src/**/*.store.test.ts';
const ofTheApi = 'packages/*/src/**/*.api.test.ts';
const ofTheCommand = 'packages/cli/src/**/*.api.test.ts';
const onPostgres = 'packages/*/src/**/*.postgres.test.ts';
const ofProcesses = 'packages/*/src/**/*.process.test.ts';
const inABrowser = '{packages/*,demo}/src/**/*.browser.test.ts';
// Only `npm run test:webkit` runs these.
const inWebKit = 'packages/*/src/**/*.webkit.test.ts';

const builds = 'packages/testkit/service/setup/build.ts';
const startsPostgres = 'packages/testkit/service/setup/start-postgres.ts';
const holdsEngine = 'packages/testkit/service/setup/hold-engine.ts';
const hashesOnce = 'packages/testkit/service/setup/hash-once.ts';
const endsProcesses = 'packages/testkit/service/setup/end-processes.ts';
const startsService = 'packages/cli/test/start-service.ts';
const findsBrowser = 'packages/tracker/test/find-browser.ts';

const SECONDS = 1000;

/** Room for short-lived objects, so that collecting them does not interrupt the tests all the time. */
const ROOMY = ['--min-semi-space-size=32', '--max-semi-space-size=64'];

/** The few embedded stores that these files open live for seconds. Optimizing the engine takes as long as all that they do. */
const SHORT_LIVED_ENGINE = '--liftoff-only';

// A file's name says what its tests need; see docs/design/tests.md.
export default defineConfig(({ mode }) => ({
  test: {
    // A test mostly waits for a database, a browser or a process, so more of them run at a time than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: MixedSequencer },
    projects: [
      project('rules', {
        include: [
          'packages/*/src/**/*.test.ts',
          'bench/src/**/*.test.ts',
          'rehearsals/src/**/*.test.ts',
          'scripts/**/*.test.ts',
        ],
        exclude: [onBothStores, ofTheApi, onPostgres, ofProcesses, inABrowser, inWebKit],
        env: { SVC_TEST_LONG: isLong(mode) },
        // Each worker loads the sources, which takes longer than most files; the embedded store runs beside them.
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
        testTimeout: 30 * SECONDS,
      }),
      project('embedded', {
        include: mode === 'all' ? [onBothStores, ofTheApi] : [onBothStores],
        // They talk to one running service of their own.
        exclude: [ofTheCommand],
        env: { SVC_TEST_STORE: 'embedded', SVC_TEST_LONG: isLong(mode) },
        globalSetup: [builds],
        setupFiles: [holdsEngine, hashesOnce],
        // Each worker compiles the engine, and this engine computes in the worker: more of them only cost more.
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
        testTimeout: 30 * SECONDS,
        hookTimeout: 60 * SECONDS,
      }),
      project('postgres', {
        include: includedOnPostgres(mode),
        env: {
          SVC_TEST_STORE: 'postgres',
          SVC_TEST_POOLER: mode === 'pooler' ? 'yes' : '',
          SVC_TEST_LONG: isLong(mode),
          SVC_ACCEPT_PICTURES: mode === 'pictures' ? 'yes' : '',
        },
        globalSetup: [builds, startsPostgres, startsService, findsBrowser],
        setupFiles: [hashesOnce, endsProcesses],
        execArgv: [...ROOMY, SHORT_LIVED_ENGINE],
        testTimeout: 120 * SECONDS,
        hookTimeout: 120 * SECONDS,
      }),
    ],
  },
}));

function includedOnPostgres(mode: string): string[] {
  if (mode === 'webkit') return [inWebKit];
  // `npm run test:pooler` runs what uses the store, through PgBouncer.
  if (mode === 'pooler') return [onBothStores, ofTheApi, onPostgres];
  return [onBothStores, ofTheApi, onPostgres, ofProcesses, inABrowser];
}

/** `npm run test:all` tries more of what is drawn at random, on both stores. */
const isLong = (mode: string) => (mode === 'all' ? 'yes' : '');

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  const resolve = { conditions: ['source'] };
  // One of its dependencies has sources under the same condition, which Node cannot load.
  const server = { deps: { inline: ['@modelcontextprotocol/sdk', 'eventsource-parser'] } };
  // A poll waits for as long as its test may take, less the time to say what did not happen.
  const expect = { poll: { timeout: (test?.testTimeout ?? 0) - 5 * SECONDS } };
  return {
    resolve,
    ssr: { resolve },
    test: { name, isolate: false, execArgv: ROOMY, server, expect, ...test },
  };
}
