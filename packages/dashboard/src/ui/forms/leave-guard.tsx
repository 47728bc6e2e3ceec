import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

/** Loaded when it is needed: the sign-in page has forms as well, but no dialogs. */
const ConfirmDialog = lazy(() => import('./dialog.tsx').then((module) => ({ default: module.ConfirmDialog })));

/** Asks before the page is left while there are changes. */
export function LeaveGuard({ hasChanges }: { hasChanges: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => hasChanges(),
    enableBeforeUnload: () => hasChanges(),
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Suspense>
      <ConfirmDialog
        title="Leave without saving?"
        description="The changes you made on this page have not been saved."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        isOpen
        onClose={reset}
        onConfirm={proceed}
      />
    </Suspense>
  );
}
