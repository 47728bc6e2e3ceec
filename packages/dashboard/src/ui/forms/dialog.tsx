import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { ErrorNotice } from '../feedback/notice.tsx';
import { type FocusPlace, placeOf, returnFocus } from '../layout/return-focus.ts';
import { Button, type ButtonVariant } from './button.tsx';
import { FormsInside, hasChangesInside } from './form-changes.ts';

type DialogProps = {
  title: string;
  description?: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A modal dialog. Escape, a click outside and its cross ask before they discard what was entered. It renders its own overlay because Radix's adds a style element to the page, which the
 * Content-Security-Policy blocks.
 */
export function Dialog({ title, description, isOpen, onClose, children }: DialogProps) {
  const opener = useRef<FocusPlace>(null);
  const [forms] = useState(() => ({ ask: new Set<() => boolean>() }));
  const [isAsking, setAsking] = useState(false);
  const leave = () => (hasChangesInside(forms) ? setAsking(true) : onClose());
  const discard = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && leave()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-40 bg-black/45" aria-hidden />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement && placeOf(document.activeElement);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current) returnFocus(opener.current);
          }}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-1/2 overflow-y-auto rounded-2xl border border-line bg-card p-6 shadow-float"
        >
          <div className="mb-4 pr-8">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-sm text-quiet">{description}</Radix.Description>}
          </div>
          <FormsInside value={forms}>{children}</FormsInside>
          {isAsking && (
            <ConfirmDialog
              title="Close without saving?"
              description="What you entered has not been saved."
              confirmLabel="Discard changes"
              cancelLabel="Keep editing"
              isOpen
              onClose={() => setAsking(false)}
              onConfirm={discard}
            />
          )}
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

/** The buttons at the bottom of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex justify-end gap-2 pt-2">{children}</div>;
}

type ConfirmDialogProps = {
  title: string;
  description: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  isBusy?: boolean;
  error?: Error | null;
  variant?: ButtonVariant;
};

/** Asks for confirmation before something that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { confirmLabel, cancelLabel = 'Cancel', onConfirm, isBusy, error, variant = 'danger', ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <ErrorNotice error={error} />
      <DialogActions>
        <Button onClick={dialog.onClose}>{cancelLabel}</Button>
        <Button variant={variant} onClick={onConfirm} isBusy={isBusy}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
