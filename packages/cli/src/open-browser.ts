import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** Opens the address in the person's browser where that is possible; nothing depends on it. */
export function openBrowser(url: string): void {
  if (!/^https?:\/\//.test(url)) return;
  const [program, ...args] =
    platform() === 'darwin'
      ? ['open', url]
      : platform() === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program as string, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
