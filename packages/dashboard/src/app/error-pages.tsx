import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState, NotFound } from '../ui/feedback/query-state.tsx';
import { Button } from '../ui/forms/button.tsx';

export function NotFoundPage() {
  return (
    <main>
      <NotFound />
    </main>
  );
}

/** A page that failed to render. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <main>
      <ErrorState error={error instanceof Error ? error : new Error('Something went wrong on this page.')} />
      <div className="px-5">
        <Button onClick={() => location.reload()}>Reload page</Button>
      </div>
    </main>
  );
}
