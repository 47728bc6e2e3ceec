import {
  Activity,
  BadgeCheck,
  ChartColumn,
  ChartNoAxesCombined,
  CircleQuestionMark,
  Coins,
  FileText,
  HandCoins,
  Handshake,
  Images,
  Link2,
  Mail,
  Receipt,
  Rocket,
  ScrollText,
  Settings,
  ShieldAlert,
  TicketPercent,
  Users,
  UsersRound,
} from 'lucide-react';
import { HeldCount } from './held-count.tsx';
import type { NavGroup } from './navigation.ts';
import { ProgramLayout } from './program-layout.tsx';

const GROUPS: NavGroup[] = [
  {
    items: [
      { to: '/app/programs/$programId/overview', title: 'Overview', icon: ChartNoAxesCombined },
      { to: '/app/programs/$programId/reports', title: 'Reports', icon: ChartColumn },
      { to: '/app/programs/$programId/partners', title: 'Partners', icon: Handshake },
      { to: '/app/programs/$programId/links', title: 'Links', icon: Link2 },
      { to: '/app/programs/$programId/coupons', title: 'Coupons', icon: TicketPercent },
      { to: '/app/programs/$programId/creatives', title: 'Creatives', icon: Images },
      { to: '/app/programs/$programId/messages', title: 'Messages', icon: Mail },
      { to: '/app/programs/$programId/customers', title: 'Customers', icon: Users },
    ],
  },
  {
    title: 'Money',
    items: [
      { to: '/app/programs/$programId/sales', title: 'Sales', icon: Receipt },
      { to: '/app/programs/$programId/commissions', title: 'Commissions', icon: Coins },
      { to: '/app/programs/$programId/held', title: 'Held for review', icon: ShieldAlert, Count: HeldCount },
      { to: '/app/programs/$programId/payouts', title: 'Payouts', icon: HandCoins },
      { to: '/app/programs/$programId/terms', title: 'Commission rules', icon: FileText },
    ],
  },
  {
    title: 'Integration',
    items: [
      { to: '/app/programs/$programId/start', title: 'Setup guide', icon: Rocket },
      { to: '/app/programs/$programId/readiness', title: 'Readiness', icon: BadgeCheck },
      { to: '/app/programs/$programId/events', title: 'Event log', icon: Activity },
      { to: '/app/programs/$programId/explain', title: 'Explain', icon: CircleQuestionMark },
    ],
  },
  {
    title: 'Workspace',
    items: [
      { to: '/app/programs/$programId/settings', title: 'Settings', icon: Settings },
      { to: '/app/programs/$programId/team', title: 'Team', icon: UsersRound },
      { to: '/app/programs/$programId/audit', title: 'Audit log', icon: ScrollText, route: 'manageAudit' },
    ],
  },
];

/** The layout of a program’s pages for the brand. */
export function Page() {
  return <ProgramLayout side="brand" groups={GROUPS} />;
}
