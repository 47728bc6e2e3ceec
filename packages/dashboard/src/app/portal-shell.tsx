import { ChartNoAxesCombined, Coins, HandCoins, Link2, Receipt, Users } from 'lucide-react';
import { portalPath } from '../ui/layout/urls.ts';
import { InsideProgram } from './inside-program.tsx';
import type { NavGroup } from './shell.tsx';

const groupsOf = (id: number): NavGroup[] => [
  {
    items: [
      { to: portalPath(id, 'overview'), title: 'Overview', icon: ChartNoAxesCombined },
      { to: portalPath(id, 'links'), title: 'Your links', icon: Link2 },
      { to: portalPath(id, 'customers'), title: 'Customers', icon: Users },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: portalPath(id, 'sales'), title: 'Sales', icon: Receipt },
      { to: portalPath(id, 'earnings'), title: 'Earnings', icon: Coins },
      { to: portalPath(id, 'payouts'), title: 'Payouts', icon: HandCoins },
    ],
  },
];

export function PortalShell() {
  return <InsideProgram side="partner" groupsOf={groupsOf} />;
}
