// Runs the tracker's chain in WebKit. It needs Debian's packages webkit2gtk-driver and xvfb; without them it says so and ends
// well, because not every machine has them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [];
const browser = ['/usr/libexec', ...folders]
  .map((folder) => join(folder, 'webkit2gtk-4.1/MiniBrowser'))
  .find((path) => existsSync(path));
const missing = ['WebKitWebDriver', 'Xvfb'].filter((name) => spawnSync('which', [name]).status !== 0);
if (!browser) missing.push('MiniBrowser');

if (missing.length > 0) {
  console.log(`Skipped: ${missing.join(', ')} is not installed. On Debian: apt-get install webkit2gtk-driver xvfb`);
} else {
  console.log(`WebKit: ${browser}`);
  const vitest = ['vitest', 'run', '--mode', 'webkit', '--project', 'postgres', 'packages/tracker/src/chain.webkit'];
  const { status } = spawnSync('npx', vitest, { stdio: 'inherit', env: { ...process.env, SVC_WEBKIT: browser } });
  process.exitCode = status ?? 1;
}
