import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useRead } from '../api/hooks.ts';
import type { ListedProgram } from '../api/program.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/forms/menu.tsx';
import { brandPath, portalPath } from '../ui/layout/urls.ts';

/** The program one is in, and the way to the others: own ones and those one is a partner of. */
export function ProgramMenu({ program }: { program: ListedProgram }) {
  const navigate = useNavigate();
  const programs = useRead('managePrograms').data?.data ?? [];
  const groups = [
    ['Your programs', programs.filter(({ role }) => role !== 'partner')],
    ['You are a partner of', programs.filter(({ role }) => role === 'partner')],
  ] as const;
  const trigger = (
    <button
      type="button"
      className="flex min-w-0 flex-1 items-center gap-1.5 rounded-lg px-2 py-1 text-left hover:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-semibold">{program.name}</span>
        <span className="block truncate text-xs text-quiet">
          {program.role === 'partner' ? 'Partner portal' : program.domain}
        </span>
      </span>
      <span className="sr-only">Choose another program</span>
      <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      {groups.map(([title, listed]) => (
        <div key={title}>
          {listed.length > 0 && <MenuLabel>{title}</MenuLabel>}
          {listed.map(({ id, name, role }) => (
            <MenuItem
              key={`${role} ${id}`}
              onSelect={() => void navigate({ to: role === 'partner' ? portalPath(id) : brandPath(id) })}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {id === program.id && (role === 'partner') === (program.role === 'partner') && (
                <Check size={15} aria-label="chosen" className="text-accent" />
              )}
            </MenuItem>
          ))}
        </div>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void navigate({ to: '/app/start' })}>
        <Plus size={15} aria-hidden /> New program
      </MenuItem>
    </Menu>
  );
}
