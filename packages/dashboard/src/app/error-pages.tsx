import type { ErrorComponentProps } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ErrorState, NotFound } from '../ui/feedback/query-state.tsx';
import { Button } from '../ui/forms/button.tsx';
import { EmptyState } from '../ui/lists/empty-state.tsx';
import { PageLoadError, reloadAfterUpdate, reloadIfReachable } from './page-loading.ts';

export function NotFoundPage() {
  return (
    <main>
      <NotFound />
    </main>
  );
}

/** A page that failed to load or to render. Inside a program, the menu around it stays. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const isInside = document.getElementById('content') !== null;
  const content = error instanceof PageLoadError ? <PageNotLoaded error={error} /> : <PageFailed error={error} />;
  return isInside ? content : <main>{content}</main>;
}

function PageFailed({ error }: { error: unknown }) {
  return (
    <>
      <ErrorState error={error instanceof Error ? error : new Error('Something went wrong on this page.')} />
      <div className="px-5">
        <Button onClick={() => location.reload()}>Reload page</Button>
      </div>
    </>
  );
}

function PageNotLoaded({ error }: { error: PageLoadError }) {
  const [isBusy, setBusy] = useState(false);
  useEffect(reloadAfterUpdate, []);
  const retry = async () => {
    setBusy(true);
    await reloadIfReachable();
    setBusy(false);
  };
  const button = (
    <Button variant="primary" isBusy={isBusy} onClick={() => void retry()}>
      <RotateCw size={16} aria-hidden /> Try again
    </Button>
  );
  return (
    <EmptyState icon={RotateCw} title="This page didn’t load" action={button} isPage>
      {error.message}
    </EmptyState>
  );
}
