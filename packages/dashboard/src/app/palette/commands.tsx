import type { SearchedKind } from '@svc/contract';
import { useRouter } from '@tanstack/react-router';
import {
  BookOpen,
  Boxes,
  Braces,
  LayoutGrid,
  Link2,
  type LucideIcon,
  Plus,
  Receipt,
  TicketPercent,
  UserRound,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import type { ListedProgram } from '../../api/program.ts';
import { useMayInWorkspace } from '../../api/rights.ts';
import { useSettled } from '../../ui/forms/settled.ts';
import { Avatar } from '../../ui/records/avatar.tsx';
import type { NavGroup } from '../shell/navigation.ts';

/** Something that the palette can open. */
export type Command = {
  title: string;
  /** What tells it from others of that name. */
  detail?: string | null;
  /** What it is, shown beside it. */
  kind: string;
  icon: ReactNode;
  href: string;
  /** Whether it is not a page of this application. */
  isOutside?: boolean;
};

type Place = (found: Row<'manageSearch'>) => string;

type Scope = { program: ListedProgram | null; groups: NavGroup[] };

/** What matches the text: pages and programs first, then what the program has of that name. */
export function useCommands({ program, groups }: Scope, text: string): { commands: Command[]; isSearching: boolean } {
  const router = useRouter();
  const programs = useApiQuery('managePrograms').data?.data ?? [];
  const found = useFound(program, text);
  const pages = groups.flatMap(({ items }) =>
    items.map(({ to, title, icon: Icon }): Command => {
      const { href } = router.buildLocation({ to, params: { programId: program?.id ?? 0 } });
      return { title, kind: 'Page', icon: <Icon size={17} aria-hidden />, href };
    }),
  );
  const others = programs
    .filter((other) => !program || homeOf(other) !== homeOf(program))
    .map((other) => ({
      title: other.name,
      kind: 'Program',
      icon: <Boxes size={17} aria-hidden />,
      href: homeOf(other),
    }));
  const overall = program && programs.some(({ role }) => role !== 'partner') ? [ALL_PROGRAMS] : [];
  const creation = useMayInWorkspace('manageCreateProgram') ? [NEW_PROGRAM] : [];
  const all = [...pages, ...overall, ...others, ...creation, ...(program ? [ACCOUNT] : []), ...DOCS];
  const wanted = text.toLowerCase();
  const named = all.filter(({ title }) => title.toLowerCase().includes(wanted));
  return { commands: [...named, ...found.commands], isSearching: found.isSearching };
}

const ALL_PROGRAMS = {
  title: 'All programs',
  kind: 'Page',
  icon: <LayoutGrid size={17} aria-hidden />,
  href: '/app/programs',
};

const NEW_PROGRAM = {
  title: 'New program',
  kind: 'Page',
  icon: <Plus size={17} aria-hidden />,
  href: '/app/start',
};

const ACCOUNT: Command = {
  title: 'Account settings',
  kind: 'Page',
  icon: <UserRound size={17} aria-hidden />,
  href: '/app/account',
};

const DOCS: Command[] = [
  {
    title: 'Documentation',
    kind: 'Docs',
    icon: <BookOpen size={17} aria-hidden />,
    href: '/docs/guide',
    isOutside: true,
  },
  { title: 'API reference', kind: 'Docs', icon: <Braces size={17} aria-hidden />, href: '/docs', isOutside: true },
];

const homeOf = ({ id, role }: ListedProgram) => `/app/${role === 'partner' ? 'portal' : 'programs'}/${id}/overview`;

/** Where each kind of result is shown: to the brand, and to its partners, who find only what is theirs. */
const PLACES: Record<SearchedKind, { kind: string; icon: LucideIcon | null; brand: Place; portal?: Place }> = {
  partner: { kind: 'Partner', icon: null, brand: ({ id }) => `partners/${id}` },
  order: {
    kind: 'Order',
    icon: Receipt,
    brand: ({ name }) => `explain?by=transaction_id&q=${encodeURIComponent(name)}`,
  },
  customer: { kind: 'Customer', icon: Users, brand: ({ id }) => `customers/${id}` },
  link: { kind: 'Link', icon: Link2, brand: searchIn('links'), portal: searchIn('links') },
  coupon: { kind: 'Coupon', icon: TicketPercent, brand: searchIn('coupons'), portal: () => 'terms' },
};

function searchIn(list: string): Place {
  return ({ name }) => `${list}?q=${encodeURIComponent(name)}`;
}

/** What the program has of that name, as soon as nobody has typed for a moment. Answers to an earlier text are never shown. */
function useFound(program: ListedProgram | null, text: string): { commands: Command[]; isSearching: boolean } {
  const settled = useSettled(text);
  const isWanted = program !== null && text !== '';
  const enabled = isWanted && settled === text;
  const id = program?.id ?? 0;
  const request = { params: { program_id: id }, query: { q: settled } };
  const search = useApiQuery('manageSearch', request, { enabled, keepPrevious: false });
  const side = program?.role === 'partner' ? 'portal' : 'brand';
  const rows = enabled ? (search.data?.data ?? []) : [];
  const commands = rows.flatMap((found): Command[] => {
    const { kind, icon: Icon, [side]: place } = PLACES[found.kind];
    if (!place) return [];
    return [
      {
        title: found.name,
        detail: found.detail,
        kind,
        icon: Icon ? <Icon size={17} aria-hidden /> : <Avatar name={found.name} />,
        href: `/app/${side === 'brand' ? 'programs' : 'portal'}/${id}/${place(found)}`,
      },
    ];
  });
  return { commands, isSearching: isWanted && (!enabled || search.isFetching) };
}
