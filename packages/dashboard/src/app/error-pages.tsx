import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ErrorState, NotFound } from '../ui/feedback/query-state.tsx';
import { Button, buttonClass } from '../ui/forms/button.tsx';

export function NotFoundPage() {
  const home = (
    <Link to="/app" className={buttonClass({ variant: 'primary' })}>
      Go to dashboard
    </Link>
  );
  return (
    <main>
      <NotFound action={home} />
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
