import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** Opens the URL in the user's browser if possible. Errors are ignored: the URL is printed as well. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  if (!/^https?:\/\//.test(url)) return;
  const [program, ...args] =
    platform() === 'darwin'
      ? ['open', url]
      : platform() === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program as string, args, { env, stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
