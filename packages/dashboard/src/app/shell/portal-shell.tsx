import {
  ChartColumn,
  ChartNoAxesCombined,
  Coins,
  FileText,
  HandCoins,
  Images,
  Link2,
  PackageSearch,
  Radio,
  Receipt,
  Users,
} from 'lucide-react';
import { viewing } from '../../api/viewing.ts';
import type { NavGroup } from './navigation.ts';
import { ProgramLayout } from './program-layout.tsx';

const GROUPS: NavGroup[] = [
  {
    items: [
      { to: '/app/portal/$programId/overview', title: 'Overview', icon: ChartNoAxesCombined },
      { to: '/app/portal/$programId/reports', title: 'Reports', icon: ChartColumn },
      { to: '/app/portal/$programId/links', title: 'Links', icon: Link2 },
      { to: '/app/portal/$programId/creatives', title: 'Creatives', icon: Images },
      { to: '/app/portal/$programId/customers', title: 'Customers', icon: Users },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: '/app/portal/$programId/sales', title: 'Sales', icon: Receipt },
      { to: '/app/portal/$programId/earnings', title: 'Earnings', icon: Coins },
      { to: '/app/portal/$programId/payouts', title: 'Payouts', icon: HandCoins },
      { to: '/app/portal/$programId/find-order', title: 'Find an order', icon: PackageSearch },
    ],
  },
  {
    title: 'Program',
    items: [
      { to: '/app/portal/$programId/terms', title: 'Rules and agreement', icon: FileText },
      { to: '/app/portal/$programId/postback', title: 'Postback', icon: Radio },
    ],
  },
];

/** The layout of a program’s pages for partners. */
export function Page() {
  return <ProgramLayout side="partner" groups={viewing() ? GROUPS.map(withoutSecrets) : GROUPS} />;
}

/** The address of a postback is between the partner and their tools. */
function withoutSecrets({ items, ...group }: NavGroup): NavGroup {
  return { ...group, items: items.filter(({ to }) => to !== '/app/portal/$programId/postback') };
}
