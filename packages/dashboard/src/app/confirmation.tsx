import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { setConfirmation } from '../api/confirmation.ts';

const ConfirmIdentity = lazy(() => import('../ui/feedback/confirm-identity.tsx'));

/** Asks users to prove who they are when the service wants to know, once for all requests that wait for it. */
export function Confirmation() {
  const [isAsking, setAsking] = useState(false);
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([]);
  useEffect(() => {
    setConfirmation(() => {
      setAsking(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    return () => setConfirmation(null);
  }, []);
  const close = (isConfirmed: boolean) => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  };
  return <Suspense>{isAsking && <ConfirmIdentity onClose={close} />}</Suspense>;
}
