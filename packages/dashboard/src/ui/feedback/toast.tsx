import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { change } from '../../api/change.ts';
import type { Call, RouteName } from '../../api/client.ts';

type Tone = 'good' | 'bad';
type Toast = { id: number; message: string; tone: Tone; onUndo: (() => void) | undefined };
type ShowToast = (message: string, tone?: Tone, onUndo?: () => void) => void;

const DURATION_MS = 6_000;
/** A person who has to decide whether to press a button needs longer. */
const UNDO_DURATION_MS = 12_000;
const MAX_TOASTS = 3;
const ToastContext = createContext<ShowToast>(() => undefined);

/** Returns a function that shows a short message and announces it to screen readers. */
export const useToast = (): ShowToast => useContext(ToastContext);

/** The request that takes back what a message says, and what to say then. */
type Undo<Name extends RouteName> = { route: Name; request: Call<Name>; done: string };

/** Returns a function that shows what was done, with a button that takes it back, also after the page has been left. */
export function useUndoToast(): <Name extends RouteName>(message: string, undo: Undo<Name>) => void {
  const toast = useToast();
  const queryClient = useQueryClient();
  return (message, { route, request, done }) => {
    const undo = async () => {
      try {
        await change(route, request);
        toast(done);
      } catch (error) {
        toast((error as Error).message, 'bad');
      }
      await queryClient.invalidateQueries();
    };
    toast(message, 'good', () => void undo());
  };
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const nextId = useRef(0);
  const showToast = useCallback<ShowToast>((message, tone = 'good', onUndo) => {
    nextId.current += 1;
    const toast = { id: nextId.current, message, tone, onUndo };
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
        <Radix.Viewport className="pointer-events-none fixed inset-x-4 bottom-4 z-50 max-sm:[body:has([data-selection-bar])_&]:bottom-40 sm:[body:has([data-selection-bar])_&]:bottom-20 flex flex-col items-end gap-2 sm:left-auto sm:w-96" />
      </Radix.Provider>
    </ToastContext>
  );
}

function ToastMessage({ toast: { message, tone, onUndo }, onClose }: { toast: Toast; onClose: () => void }) {
  return (
    <Radix.Root
      // Errors interrupt a screen reader, other messages wait.
      type={tone === 'bad' ? 'foreground' : 'background'}
      duration={onUndo ? UNDO_DURATION_MS : DURATION_MS}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="pointer-events-auto flex w-full items-start gap-2.5 rounded-xl border border-line bg-card px-4 py-3 text-sm shadow-float"
    >
      {tone === 'good' ? (
        <CircleCheck size={18} className="mt-px shrink-0 text-good" aria-hidden />
      ) : (
        <CircleAlert size={18} className="mt-px shrink-0 text-bad" aria-hidden />
      )}
      <Radix.Description className="min-w-0 flex-1 break-words">{message}</Radix.Description>
      {onUndo && (
        <Radix.Action
          altText="Undo what was done"
          onClick={onUndo}
          className="shrink-0 rounded font-medium text-accent hover:underline"
        >
          Undo
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Dismiss"
        className="-mt-0.5 -mr-1.5 grid size-6 shrink-0 place-items-center rounded text-quiet hover:text-ink"
      >
        <X size={16} aria-hidden />
      </Radix.Close>
    </Radix.Root>
  );
}
