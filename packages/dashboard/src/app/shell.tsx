import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { type LucideIcon, Menu as MenuIcon, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListedProgram } from '../api/program.ts';
import { BrandLogo } from '../ui/layout/brand-logo.tsx';
import { Logo } from '../ui/layout/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ProgramMenu } from './program-menu.tsx';

/** A page of a program: its path has no other parameter. */
type ProgramPath = Extract<LinkProps['to'], `/app/${'programs' | 'portal'}/$programId/${string}`>;
type NavItem = { to: ProgramPath; title: string; icon: LucideIcon };
export type NavGroup = { title?: string; items: NavItem[] };

type ShellProps = { program: ListedProgram; groups: NavGroup[]; children: ReactNode };

/** The frame of all pages in a program: navigation on the left, or behind a button on phones. */
export function Shell({ program, groups, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const previousPath = useRef(pathname);

  // On a new page the menu closes, and keyboards and screen readers start at the content.
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    setOpen(false);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_1fr]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <div className="border-line bg-card max-lg:border-b lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r">
        <div className="flex items-center gap-2 px-4 py-3 lg:pt-5">
          {program.role === 'partner' ? <BrandLogo brand={program} /> : <Logo />}
          <ProgramMenu program={program} />
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="navigation"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            onClick={() => setOpen(!isOpen)}
            className="ml-auto grid size-10 place-items-center rounded-lg hover:bg-sunken lg:hidden"
          >
            {isOpen ? <X size={20} aria-hidden /> : <MenuIcon size={20} aria-hidden />}
          </button>
        </div>
        <div
          id="navigation"
          className={`${isOpen ? '' : 'hidden'} min-h-0 flex-1 flex-col justify-between overflow-y-auto px-3 pb-3 lg:flex`}
        >
          <nav aria-label="Program" className="space-y-4 py-2">
            {groups.map((group) => (
              <NavList key={group.title ?? ''} group={group} programId={program.id} />
            ))}
          </nav>
          <AccountMenu />
        </div>
      </div>
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className="mx-auto w-full max-w-[76rem] min-w-0 px-4 py-6 sm:px-8 sm:py-9"
      >
        {children}
      </main>
    </div>
  );
}

function NavList({ group: { title, items }, programId }: { group: NavGroup; programId: number }) {
  return (
    <div>
      {title && <p className="px-2.5 pb-1 text-xs font-medium text-quiet">{title}</p>}
      <ul>
        {items.map(({ to, title: label, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ programId }}
              className="flex items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm text-quiet hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent lg:py-[0.4375rem]"
            >
              <Icon size={17} aria-hidden /> {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
