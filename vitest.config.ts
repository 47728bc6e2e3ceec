import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const ssr = { resolve };
const onAStore = 'packages/*/src/**/*.store.test.ts';
const onPostgres = 'packages/*/src/**/*.postgres.test.ts';
const ofProcesses = 'packages/*/src/**/*.process.test.ts';
const ofTheCommand = 'packages/cli/src/**/*.process.test.ts';
const inABrowser = '{packages/*,demo}/src/**/*.browser.test.ts';
const startsPostgres = 'packages/server/test/start-postgres.ts';
const makesEmptyStore = 'packages/server/test/build-empty-store.ts';
const buildsTracker = 'packages/tracker/test/build-tracker.ts';
const buildsDashboard = 'packages/dashboard/test/build-dashboard.ts';
const findsBrowser = 'packages/tracker/test/find-browser.ts';

// The file's name says what a test needs: nothing, a store (run on both kinds), a real Postgres, whole processes,
// or a browser.
export default defineConfig({
  test: {
    // A test mostly waits for a database, a browser or a process: on two cores two of them get on better than one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'rules',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [onAStore, onPostgres, ofProcesses, inABrowser],
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'embedded',
          include: [onAStore],
          env: { SVC_TEST_STORE: 'embedded' },
          globalSetup: [makesEmptyStore, buildsTracker, buildsDashboard],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'postgres',
          include: [onAStore, onPostgres],
          env: { SVC_TEST_STORE: 'postgres' },
          globalSetup: [makesEmptyStore, buildsTracker, buildsDashboard, startsPostgres],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'processes',
          include: [ofProcesses],
          exclude: [ofTheCommand],
          globalSetup: [makesEmptyStore, buildsTracker, startsPostgres],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'command',
          include: [ofTheCommand],
          globalSetup: [makesEmptyStore, 'packages/cli/test/start-service.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'browser',
          include: [inABrowser],
          env: { SVC_TEST_STORE: 'embedded' },
          globalSetup: [makesEmptyStore, buildsTracker, buildsDashboard, findsBrowser],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
