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

/** Whether the browser has lost its connection, and with it the service: one on the same machine still answers. */
function useIsOffline(): boolean {
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const goOnline = () => setOffline(false);
    const check = () => {
      if (navigator.onLine) return goOnline();
      fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(goOnline, () =>
        setOffline(!navigator.onLine),
      );
    };
    check();
    addEventListener('online', goOnline);
    addEventListener('offline', check);
    return () => {
      removeEventListener('online', goOnline);
      removeEventListener('offline', check);
    };
  }, []);
  return isOffline;
}
