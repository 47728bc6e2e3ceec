import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';

/** Says that there is no connection to the service. It floats above the page, so that nothing moves. */
export function OfflineNotice() {
  const isOffline = useIsOffline();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 top-4 z-50 flex justify-center">
      {isOffline && (
        <p className="pointer-events-auto flex items-center gap-2.5 rounded-xl border border-line bg-card px-4 py-2.5 text-sm shadow-float">
          <WifiOff size={17} aria-hidden className="shrink-0 text-warn" /> You’re offline. What you see may be out of
          date, and nothing can be changed.
        </p>
      )}
    </div>
  );
}

/** How soon a browser without a connection asks again whether the service answers. */
const AGAIN_MS = 2_000;

/** Whether the browser has lost its connection, and with it the service: one on the same machine still answers. */
function useIsOffline(): boolean {
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    let isOver = false;
    let timer: number | undefined;
    const check = async () => {
      clearTimeout(timer);
      const isReached = navigator.onLine || (await answers());
      if (isOver) return;
      setOffline(!isReached && !navigator.onLine);
      // The answer may be from the moment before the connection was lost.
      clearTimeout(timer);
      if (!navigator.onLine) timer = window.setTimeout(check, AGAIN_MS);
    };
    void check();
    addEventListener('online', check);
    addEventListener('offline', check);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener('online', check);
      removeEventListener('offline', check);
    };
  }, []);
  return isOffline;
}

const answers = () =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
