import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useRead } from '../api/hooks.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/forms/menu.tsx';
import { useSignOut } from '../ui/layout/sign-out.ts';
import { type Theme, useTheme } from '../ui/layout/theme.ts';

const THEMES = [
  ['system', 'Like the system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const satisfies [Theme, string, typeof Sun][];

/** Who is signed in, their profile, the theme, and the way out. */
export function AccountMenu() {
  const navigate = useNavigate();
  const [theme, setTheme] = useTheme();
  const user = useRead('manageMe').data?.data.user;
  const leave = useSignOut();
  const trigger = (
    <button
      type="button"
      className="mt-2 flex w-full items-center gap-2.5 rounded-lg border-line px-2 py-2 text-left hover:bg-sunken"
    >
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
      >
        {user?.name.slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{user?.name}</span>
        <span className="block truncate text-xs text-quiet">{user?.email}</span>
      </span>
      <span className="sr-only">Your account</span>
      <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuItem onSelect={() => void navigate({ to: '/app/account' })}>
        <UserRound size={15} aria-hidden /> Your profile
      </MenuItem>
      <MenuLine />
      <MenuLabel>Theme</MenuLabel>
      {THEMES.map(([name, words, Icon]) => (
        <MenuItem key={name} onSelect={() => setTheme(name)}>
          <Icon size={15} aria-hidden /> {words}
          {theme === name && <span className="sr-only">, chosen</span>}
          {theme === name && <span aria-hidden className="ml-auto size-1.5 rounded-full bg-accent" />}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void leave()}>
        <LogOut size={15} aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
}
