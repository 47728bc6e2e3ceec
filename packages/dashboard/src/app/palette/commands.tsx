import { useRouter } from '@tanstack/react-router';
import { BookOpen, Boxes, Braces, Plus, Rocket, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import type { ListedProgram } from '../../api/program.ts';
import { useMayInWorkspace } from '../../api/rights.ts';
import { Avatar } from '../../ui/records/avatar.tsx';
import type { NavGroup } from '../shell/navigation.ts';

const FOUND_PARTNERS = 6;

/** Something that the palette can open. */
export type Command = {
  title: string;
  /** What it is, shown beside it. */
  kind: string;
  icon: ReactNode;
  href: string;
  /** Whether it is not a page of this application. */
  isOutside?: boolean;
};

type Scope = { program: ListedProgram; groups: NavGroup[] };

/** What matches the text: pages of the program first, then its partners and other programs. */
export function useCommands({ program, groups }: Scope, text: string): Command[] {
  const router = useRouter();
  const programs = useApiQuery('managePrograms').data?.data ?? [];
  const partners = useFoundPartners(program, text);
  const isBrand = program.role !== 'partner';
  const pages = groups.flatMap(({ items }) =>
    items.map(({ to, title, icon: Icon }): Command => {
      const { href } = router.buildLocation({ to, params: { programId: program.id } });
      return { title, kind: 'Page', icon: <Icon size={17} aria-hidden />, href };
    }),
  );
  const others = programs
    .filter(({ id, role }) => id !== program.id || (role === 'partner') === isBrand)
    .map((other) => ({
      title: other.name,
      kind: 'Program',
      icon: <Boxes size={17} aria-hidden />,
      href: homeOf(other),
    }));
  const start = isBrand ? [{ ...SETUP_GUIDE, href: `/app/programs/${program.id}/start` }] : [];
  const creation = useMayInWorkspace('manageCreateProgram') ? [NEW_PROGRAM] : [];
  const all = [...pages, ...start, ...others, ...creation, ...ALWAYS];
  const wanted = text.toLowerCase();
  return [...all.filter(({ title }) => title.toLowerCase().includes(wanted)), ...partners];
}

const SETUP_GUIDE = { title: 'Setup guide', kind: 'Page', icon: <Rocket size={17} aria-hidden /> };

const NEW_PROGRAM = {
  title: 'New program',
  kind: 'Page',
  icon: <Plus size={17} aria-hidden />,
  href: '/app/start',
};

const ALWAYS: Command[] = [
  { title: 'Account settings', kind: 'Page', icon: <UserRound size={17} aria-hidden />, href: '/app/account' },
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

/** Partners of the program whose name or email contains the text. */
function useFoundPartners({ id, role }: ListedProgram, text: string): Command[] {
  const enabled = role !== 'partner' && text !== '';
  const query = { q: text, limit: FOUND_PARTNERS };
  const found = useApiQuery('managePartners', { params: { program_id: id }, query }, { enabled });
  if (!enabled) return [];
  return (found.data?.data ?? []).map((partner) => ({
    title: partner.name,
    kind: 'Partner',
    icon: <Avatar name={partner.name} />,
    href: `/app/programs/${id}/partners/${partner.id}`,
  }));
}
