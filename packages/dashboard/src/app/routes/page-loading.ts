import type { ReactNode } from 'react';

/** The module of a page, which exports it as `Page`. It is downloaded when the page is first visited. */
export type LoadPage = () => Promise<{ Page: () => ReactNode }>;

const RELOADED_AT = 'svc-reloaded-at';
/** A reload that did not help is not repeated within this time. */
const RELOAD_PAUSE_MS = 30_000;

/** The files of a page could not be downloaded. */
export class PageLoadError extends Error {
  constructor(cause: unknown) {
    super('Its files could not be downloaded. Check your connection and try again.', { cause });
  }
}

/** Loads the module of a page. Pages are also loaded ahead, so a failure shows only when the page does. */
export async function loadPage(load: LoadPage): ReturnType<LoadPage> {
  return load().catch((cause) => {
    throw new PageLoadError(cause);
  });
}

/** Reloads the page when the server answers. Otherwise nothing would be left on the screen, so everything stays as it is. */
export async function reloadIfReachable(): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
}

/** An application that was open during an update asks for files that are gone. Reloading gets the new ones. */
export function reloadAfterUpdate(): void {
  const lastReload = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - lastReload > RELOAD_PAUSE_MS) void reloadIfReachable();
}
