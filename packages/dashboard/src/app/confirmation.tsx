import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type Proof, setConfirmation } from '../api/confirmation.ts';

const ConfirmIdentity = lazy(() => import('../ui/feedback/confirm-identity.tsx'));

/** Asks users to prove who they are when the service wants to know, once for all requests that wait for it. */
export function Confirmation() {
  const [asked, setAsked] = useState<Proof | null>(null);
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([]);
  useEffect(() => {
    setConfirmation((proof) => {
      setAsked(proof);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    return () => setConfirmation(null);
  }, []);
  const close = (isConfirmed: boolean) => {
    setAsked(null);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  };
  return <Suspense>{asked && <ConfirmIdentity proof={asked} onClose={close} />}</Suspense>;
}
