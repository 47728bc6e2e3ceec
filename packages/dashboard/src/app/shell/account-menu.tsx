import { useNavigate } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/forms/menu.tsx';
import { useSignOut } from '../../ui/layout/sign-out.ts';
import { type Theme, useTheme } from '../../ui/layout/theme.ts';
import { Avatar } from '../../ui/records/avatar.tsx';

const THEMES = [
  ['system', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const satisfies [Theme, string, typeof Sun][];

/** The signed-in user, with a menu for the account, the theme and signing out. */
export function AccountMenu() {
  const navigate = useNavigate();
  const [theme, setTheme] = useTheme();
  const user = useApiQuery('manageMe').data?.data.user;
  const signOut = useSignOut();
  const trigger = (
    <button
      type="button"
      className="mt-2 flex min-h-13 w-full items-center gap-2.5 rounded-lg border-line px-2 py-2 text-left hover:bg-sunken"
    >
      <Avatar name={user?.name ?? ''} size="medium" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{user?.name}</span>
        <span className="block truncate text-xs text-quiet">{user?.email}</span>
      </span>
      <span className="sr-only">Account menu</span>
      <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuItem onSelect={() => void navigate({ to: '/app/account' })}>
        <UserRound size={15} aria-hidden /> Account settings
      </MenuItem>
      <MenuItem onSelect={() => location.assign('/docs/guide')}>
        <BookOpen size={15} aria-hidden /> Documentation
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      {THEMES.map(([name, label, Icon]) => (
        <MenuItem key={name} onSelect={() => setTheme(name)}>
          <Icon size={15} aria-hidden /> {label}
          {theme === name && <span className="sr-only">, selected</span>}
          {theme === name && <span aria-hidden data-filled className="ml-auto size-1.5 rounded-full bg-accent" />}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut size={15} aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
}
