import { Link, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ListedProgram } from '../../api/program.ts';
import { BrandLogo } from '../../ui/layout/brand-logo.tsx';
import { Logo } from '../../ui/layout/logo.tsx';
import { useFocusGuard } from '../focus-guard.ts';
import { useShortcuts } from '../palette/shortcuts.ts';
import { AccountMenu } from './account-menu.tsx';
import type { NavGroup } from './navigation.ts';
import { ProgramMenu } from './program-menu.tsx';

const CommandPalette = lazy(() => import('../palette/command-palette.tsx'));
const PALETTE_KEYS = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

type ShellProps = {
  /** Null on pages that belong to no program. */
  program: ListedProgram | null;
  groups: NavGroup[];
  children: ReactNode;
};

/** The frame of all pages behind the sign-in: navigation on the left, or behind a button on phones. */
export function Shell({ program, groups, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const pages = useRef<HTMLElement>(null);
  const previousPath = useRef(pathname);
  const [palette, setPalette] = useState<'never opened' | 'open' | 'closed'>('never opened');
  const openPalette = useCallback(() => setPalette('open'), []);
  useShortcuts({ onPalette: openPalette });
  useFocusGuard(main);

  // On a new page the menu closes, and keyboards and screen readers start at the content.
  useEffect(() => {
    pages.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
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
          {program?.role === 'partner' ? <BrandLogo brand={program} /> : <Logo />}
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
        <div id="navigation" className={`${isOpen ? '' : 'hidden'} min-h-0 flex-1 flex-col px-3 pb-3 lg:flex`}>
          <button
            type="button"
            onClick={openPalette}
            className="mt-1 mb-2 flex w-full shrink-0 items-center gap-2.5 rounded-lg border border-line px-2.5 py-2 text-sm text-quiet hover:bg-sunken hover:text-ink"
          >
            <Search size={16} aria-hidden /> Go to…
            <kbd className="ml-auto font-sans text-xs">{PALETTE_KEYS}</kbd>
          </button>
          {/* On a short screen, only the pages scroll. The last ones fade out to show that there are more. */}
          <nav
            ref={pages}
            aria-label={program ? 'Program' : 'Account'}
            className="space-y-4 py-1 lg:-mx-3 lg:flex-1 lg:overflow-y-auto lg:mask-b-from-[calc(100%-1.25rem)] lg:scroll-pb-6 lg:px-3 lg:pb-5"
          >
            {groups.map((group) => (
              <NavList key={group.title ?? ''} group={group} programId={program?.id} />
            ))}
          </nav>
          <AccountMenu />
        </div>
      </div>
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className="mx-auto w-full max-w-[100rem] min-w-0 px-4 py-6 sm:px-8 sm:py-9"
      >
        {children}
      </main>
      {palette !== 'never opened' && (
        <Suspense>
          <CommandPalette {...{ program, groups }} isOpen={palette === 'open'} onClose={() => setPalette('closed')} />
        </Suspense>
      )}
    </div>
  );
}

function NavList({ group: { title, items }, programId }: { group: NavGroup; programId: number | undefined }) {
  return (
    <div>
      {title && <p className="px-2.5 pb-1 text-xs font-medium text-quiet">{title}</p>}
      <ul>
        {items.map(({ to, title: label, icon: Icon, Count }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ programId }}
              activeOptions={{ exact: programId === undefined }}
              className="flex items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm text-quiet hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent lg:py-[0.4375rem]"
            >
              <Icon size={17} aria-hidden /> {label}
              {Count && programId !== undefined && <Count programId={programId} />}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
