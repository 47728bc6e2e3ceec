import { CircleAlert, CircleCheck } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Toast = { id: number; words: string; tone: 'good' | 'bad' };
type Say = (words: string, tone?: Toast['tone']) => void;

const SHOWN_MS = 6_000;
const ToastContext = createContext<Say>(() => undefined);

/** Says briefly what was done, on the screen and to screen readers. */
export const useToast = (): Say => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const say = useCallback<Say>((words, tone = 'good') => {
    const id = Date.now() + Math.random();
    setToasts((shown) => [...shown.slice(-2), { id, words, tone }]);
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={say}>
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96"
      >
        {toasts.map(({ id, words, tone }) => (
          <div
            key={id}
            className="pointer-events-auto flex w-full items-start gap-2.5 rounded-xl border border-line bg-card px-4 py-3 text-sm shadow-float"
          >
            {tone === 'good' ? (
              <CircleCheck size={18} className="mt-px shrink-0 text-good" aria-hidden />
            ) : (
              <CircleAlert size={18} className="mt-px shrink-0 text-bad" aria-hidden />
            )}
            <span className="min-w-0 break-words">{words}</span>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
