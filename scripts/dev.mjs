// Runs the service and the dashboard from their sources.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const DASHBOARD_PORT = 5173;

console.error('Starting the service and the dashboard. Both follow changes to their sources. Ctrl-C stops them.');
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// The service also serves what is built: the packages, the command line tool, the API reference, and the page that settings
// are taken from.
const steps = ['compile', 'store', 'tracker', 'node', 'cli', 'reference'];
if (!build(existsSync('packages/dashboard/dist/index.html') ? steps : [...steps, 'dashboard'])) process.exit(1);

const { serveDashboard } = await import('../packages/dashboard/build.mjs');
const { watchService } = await import('../packages/server/build.mjs');
const dashboard = await serveDashboard(DASHBOARD_PORT);
const bundle = await watchService();
// Browsers and the sign-in use the dashboard's address; it passes on what is not a page. The service prints it when it is up.
const env = { LOG_LEVEL: 'warn', SVC_BASE_URL: `http://localhost:${DASHBOARD_PORT}`, ...process.env };
const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', '--enable-source-maps', bundle.path, 'serve'],
  { stdio: 'inherit', env },
);

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill('SIGTERM'));
service.once('exit', async () => {
  await Promise.all([dashboard.stop(), bundle.stop()]);
  process.exit();
});
