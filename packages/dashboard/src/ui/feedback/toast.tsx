import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

type Tone = 'good' | 'bad';
type Toast = { id: number; message: string; tone: Tone };
type ShowToast = (message: string, tone?: Tone) => void;

const DURATION_MS = 6_000;
const MAX_TOASTS = 3;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Returns a function that shows a short message and announces it to screen readers. */
export const useToast = (): ShowToast => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const nextId = useRef(0);
  const showToast = useCallback<ShowToast>((message, tone = 'good') => {
    nextId.current += 1;
    const toast = { id: nextId.current, message, tone };
    setToasts((current) => [...current, toast].slice(-MAX_TOASTS));
  }, []);
  const remove = (id: number) => setToasts((current) => current.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={showToast}>
      <Radix.Provider duration={DURATION_MS} swipeDirection="right">
        {children}
        {toasts.map((toast) => (
          <ToastMessage key={toast.id} toast={toast} onClose={() => remove(toast.id)} />
        ))}
        <Radix.Viewport className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96" />
      </Radix.Provider>
    </ToastContext>
  );
}

function ToastMessage({ toast: { message, tone }, onClose }: { toast: Toast; onClose: () => void }) {
  return (
    <Radix.Root
      // Errors interrupt a screen reader, other messages wait.
      type={tone === 'bad' ? 'foreground' : 'background'}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="pointer-events-auto flex w-full items-start gap-2.5 rounded-xl border border-line bg-card px-4 py-3 text-sm shadow-float"
    >
      {tone === 'good' ? (
        <CircleCheck size={18} className="mt-px shrink-0 text-good" aria-hidden />
      ) : (
        <CircleAlert size={18} className="mt-px shrink-0 text-bad" aria-hidden />
      )}
      <Radix.Description className="min-w-0 flex-1 break-words">{message}</Radix.Description>
      <Radix.Close
        aria-label="Dismiss"
        className="-mt-0.5 -mr-1.5 grid size-6 shrink-0 place-items-center rounded text-quiet hover:text-ink"
      >
        <X size={16} aria-hidden />
      </Radix.Close>
    </Radix.Root>
  );
}
