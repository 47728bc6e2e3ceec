import { Outlet } from '@tanstack/react-router';
import { HandCoins, LayoutGrid, UserRound } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { QueryState, Skeleton } from '../../ui/feedback/query-state.tsx';
import type { NavGroup } from './navigation.ts';
import { Shell } from './shell.tsx';

const PROGRAMS: NavGroup = { items: [{ to: '/app/programs', title: 'All programs', icon: LayoutGrid }] };

/** The layout of pages that belong to no program: all programs, and the user’s own account. */
export function Page() {
  const programs = useApiQuery('managePrograms');
  const me = useApiQuery('manageMe');
  return (
    <QueryState query={me}>
      {({ data: { partner_of: memberships } }) => {
        if (programs.isPending) return <Skeleton />;
        const isBrand = programs.data?.data.some(({ role }) => role !== 'partner') ?? false;
        return (
          <Shell
            program={null}
            groups={[...(isBrand ? [PROGRAMS] : []), accountGroup({ isPaid: memberships.length > 0 })]}
          >
            <Outlet />
          </Shell>
        );
      }}
    </QueryState>
  );
}

function accountGroup({ isPaid }: { isPaid: boolean }): NavGroup {
  const account = { to: '/app/account', title: 'Account settings', icon: UserRound } as const;
  const payment = { to: '/app/account/payout-method', title: 'How you get paid', icon: HandCoins } as const;
  return { title: 'Your account', items: isPaid ? [account, payment] : [account] };
}
