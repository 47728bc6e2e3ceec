import {
  Activity,
  BadgeCheck,
  ChartNoAxesCombined,
  CircleQuestionMark,
  Coins,
  HandCoins,
  Handshake,
  Link2,
  Receipt,
  Settings,
  Users,
  UsersRound,
} from 'lucide-react';
import { brandPath } from '../ui/layout/urls.ts';
import { InsideProgram } from './inside-program.tsx';
import type { NavGroup } from './shell.tsx';

const groupsOf = (id: number): NavGroup[] => [
  {
    items: [
      { to: brandPath(id, 'overview'), title: 'Overview', icon: ChartNoAxesCombined },
      { to: brandPath(id, 'partners'), title: 'Partners', icon: Handshake },
      { to: brandPath(id, 'links'), title: 'Links', icon: Link2 },
      { to: brandPath(id, 'customers'), title: 'Customers', icon: Users },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: brandPath(id, 'sales'), title: 'Sales', icon: Receipt },
      { to: brandPath(id, 'commissions'), title: 'Commissions', icon: Coins },
      { to: brandPath(id, 'payouts'), title: 'Payouts', icon: HandCoins },
    ],
  },
  {
    title: 'Integration',
    items: [
      { to: brandPath(id, 'readiness'), title: 'Readiness', icon: BadgeCheck },
      { to: brandPath(id, 'events'), title: 'Event log', icon: Activity },
      { to: brandPath(id, 'explain'), title: 'Explain', icon: CircleQuestionMark },
    ],
  },
  {
    title: 'Workspace',
    items: [
      { to: brandPath(id, 'settings'), title: 'Settings', icon: Settings },
      { to: brandPath(id, 'team'), title: 'Team', icon: UsersRound },
    ],
  },
];

export function BrandShell() {
  return <InsideProgram side="brand" groupsOf={groupsOf} />;
}
