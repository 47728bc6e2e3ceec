import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Button, type ButtonLook } from './button.tsx';

type DialogProps = {
  title: string;
  words?: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A dialog over the page. The veil is our own: the library's would write a style element into the page, which its
 * security policy refuses.
 */
export function Dialog({ title, words, isOpen, onClose, children }: DialogProps) {
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-black/45" aria-hidden />
        <Radix.Content
          {...(!words && { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(opener.current);
          }}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-1/2 overflow-y-auto rounded-2xl border border-line bg-card p-6 shadow-float"
        >
          <div className="mb-4 pr-8">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {words && <Radix.Description className="mt-1 text-sm text-quiet">{words}</Radix.Description>}
          </div>
          {children}
          <Radix.Close
            aria-label="Close"
            className="absolute top-4 right-4 grid size-8 place-items-center rounded-lg text-quiet hover:bg-sunken hover:text-ink"
          >
            <X size={18} aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Puts the focus back where it was; the content of the page stands in for what is gone, like the entry of a menu. */
function focusAgain(opener: Element | null): void {
  const place = opener?.isConnected ? opener : document.getElementById('content');
  if (place instanceof HTMLElement) place.focus();
}

type ConfirmProps = {
  title: string;
  words: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  confirm: string;
  onConfirm: () => void;
  isBusy?: boolean;
  error?: Error | null;
  look?: ButtonLook;
};

/** Asks before something is done that cannot be taken back easily. */
export function Confirm({ confirm, onConfirm, isBusy, error, look = 'danger', ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      {error && (
        <p role="alert" className="mb-4 text-sm text-bad">
          {error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={dialog.onClose}>Cancel</Button>
        <Button look={look} onClick={onConfirm} isBusy={isBusy}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
