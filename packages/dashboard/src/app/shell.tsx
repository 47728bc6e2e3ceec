import { Link, useLocation } from '@tanstack/react-router';
import { type LucideIcon, Menu as MenuIcon, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListedProgram } from '../api/program.ts';
import { AccountMenu } from './account-menu.tsx';
import { Mark } from './logo.tsx';
import { ProgramMenu } from './program-menu.tsx';

type NavItem = { to: string; title: string; icon: LucideIcon };
export type NavGroup = { title?: string; items: NavItem[] };

type ShellProps = { program: ListedProgram; groups: NavGroup[]; children: ReactNode };

/** The frame of every page inside a program: the way around on the left, or behind a button on phones. */
export function Shell({ program, groups, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);

  // A new page: the menu closes, and keyboards and screen readers begin at its content.
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    setOpen(false);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_1fr]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to the content
      </a>
      <div className="border-line bg-card max-lg:border-b lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r">
        <div className="flex items-center gap-2 px-4 py-3 lg:pt-5">
          <Mark />
          <ProgramMenu program={program} />
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="navigation"
            aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
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
          <nav aria-label="Pages of the program" className="space-y-4 py-2">
            {groups.map((group) => (
              <NavList key={group.title ?? ''} group={group} />
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

function NavList({ group: { title, items } }: { group: NavGroup }) {
  return (
    <div>
      {title && <p className="px-2.5 pb-1 text-xs font-medium text-quiet">{title}</p>}
      <ul>
        {items.map(({ to, title: words, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm text-quiet hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent lg:py-[0.4375rem]"
            >
              <Icon size={17} aria-hidden /> {words}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
