import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useApiQuery } from '../../api/hooks.ts';
import type { ListedProgram } from '../../api/program.ts';
import { useMayInWorkspace } from '../../api/rights.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/forms/menu.tsx';

/** The current program, and a menu of all programs the user manages or is a partner of. */
export function ProgramMenu({ program }: { program: ListedProgram }) {
  const navigate = useNavigate();
  const programs = useApiQuery('managePrograms').data?.data ?? [];
  const mayCreate = useMayInWorkspace('manageCreateProgram');
  const groups = [
    ['Your programs', programs.filter((listed) => !isPartner(listed) && !isArchived(listed))],
    ['Partner programs', programs.filter((listed) => isPartner(listed) && !isArchived(listed))],
    ['Archived', programs.filter(isArchived)],
  ] as const;
  const open = (selected: ListedProgram) =>
    void navigate({
      to: isPartner(selected) ? '/app/portal/$programId/overview' : '/app/programs/$programId/overview',
      params: { programId: selected.id },
    });
  const trigger = (
    <button
      type="button"
      className="flex min-w-0 flex-1 items-center gap-1.5 rounded-lg px-2 py-1 text-left hover:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-semibold">{program.name}</span>
        <span className="block truncate text-xs text-quiet">
          {isPartner(program) ? 'Partner portal' : program.domain}
        </span>
      </span>
      <span className="sr-only">Switch program</span>
      <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-quiet" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      {groups.map(([title, listed]) => (
        <div key={title}>
          {listed.length > 0 && <MenuLabel>{title}</MenuLabel>}
          {listed.map((item) => (
            <MenuItem key={item.id} onSelect={() => open(item)}>
              <span className="min-w-0 flex-1 truncate">{item.name}</span>
              {item.id === program.id && isPartner(item) === isPartner(program) && (
                <Check size={15} aria-label="Current program" className="text-accent" />
              )}
            </MenuItem>
          ))}
        </div>
      ))}
      {mayCreate && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => void navigate({ to: '/app/start' })}>
            <Plus size={15} aria-hidden /> New program
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

const isPartner = ({ role }: ListedProgram) => role === 'partner';
const isArchived = ({ status }: ListedProgram) => status === 'archived';
