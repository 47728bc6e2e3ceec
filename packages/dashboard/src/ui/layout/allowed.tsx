import type { ReactNode } from 'react';
import type { RouteName } from '../../api/client.ts';
import { useMay, whoMay } from '../../api/rights.ts';
import { Notice } from '../feedback/notice.tsx';
import { useProgramId } from './program-id.ts';

type AllowedProps = {
  /** The route that the content calls. */
  route: RouteName;
  /** What it does, as the end of “Only owners can …”, which others read instead. Without it they see nothing. */
  to?: string;
  children?: ReactNode;
};

/** Content for people whose role in the program may call the route. */
export function Allowed({ route, to, children }: AllowedProps) {
  if (useMay(useProgramId(), route)) return children;
  return (
    to && (
      <p className="self-center text-sm text-quiet">
        {whoMay(route)} {to}.
      </p>
    )
  );
}

/** Settings that everyone in the workspace sees, and only people whose role may call the route can change. */
export function EditableWith({ route, children }: { route: RouteName; children: ReactNode }) {
  if (useMay(useProgramId(), route)) return children;
  return (
    <>
      <Notice>{whoMay(route)} change these settings.</Notice>
      <fieldset disabled className="min-w-0 space-y-6">
        {children}
      </fieldset>
    </>
  );
}
