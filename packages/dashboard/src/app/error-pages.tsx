import type { ErrorComponentProps } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ErrorState, NotFound } from '../ui/feedback/query-state.tsx';
import { Button, buttonClass } from '../ui/forms/button.tsx';
import { Logo } from '../ui/layout/logo.tsx';
import { EmptyState } from '../ui/lists/empty-state.tsx';
import { PageLoadError, reloadAfterUpdate, reloadIfReachable } from './routes/page-loading.ts';

export function NotFoundPage() {
  return (
    <OutsidePage>
      <NotFound />
    </OutsidePage>
  );
}

/** A page outside a program, where nothing else names the product. */
function OutsidePage({ children }: { children: ReactNode }) {
  return (
    <main>
      <p className="flex items-center gap-3 px-5 pt-5 text-lg font-semibold tracking-tight">
        <Logo /> svc
      </p>
      {children}
    </main>
  );
}

/** A page that failed to load or to render. Inside a program, the menu around it stays. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const isInside = document.getElementById('content') !== null;
  const content = error instanceof PageLoadError ? <PageNotLoaded error={error} /> : <PageFailed error={error} />;
  return isInside ? content : <OutsidePage>{content}</OutsidePage>;
}

function PageFailed({ error }: { error: unknown }) {
  return (
    <>
      <ErrorState error={error instanceof Error ? error : new Error('Something went wrong on this page.')} />
      <div className="flex flex-wrap gap-2 px-5">
        <Button onClick={() => location.reload()}>Reload page</Button>
        <a href="/app" className={buttonClass({ variant: 'ghost' })}>
          Go to dashboard
        </a>
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
